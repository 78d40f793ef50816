import known from "../words/cards.json";
import { speech } from "../words/speech.svelte";

// Each card by its names in English, French and Japanese; where one is not known the English stands.
const CARDS = known as [string, string, string][];
const PLACES = { en: 0, fr: 1, ja: 2 } as const;

/** The names of the cards that day and night care about, in the language of the page. */
export function names(): string[] {
  const place = PLACES[speech.language];
  return CARDS.map((card) => card[place]).sort((a, b) => a.localeCompare(b, speech.language));
}

/** A card's English name, which is what a record has; one that is not known stays as it was typed. */
export function english(typed: string): string {
  const name = typed.trim();
  const found = CARDS.find((card) => card.some((one) => one.toLowerCase() === name.toLowerCase()));
  return found ? found[0] : name;
}
