import known from "../words/cards.json";
import { speech } from "../words/speech.svelte";

// Each card by its names in English, French and Japanese (or only the English one), and whether it has daybound.
const CARDS = known as [string, string, string, boolean][];
const PLACES = { en: 0, fr: 1, ja: 2 } as const;

/** The names of the cards that matter for day and night, in the language of the page. */
export function names(): string[] {
  const place = PLACES[speech.language];
  return CARDS.map((card) => card[place]).sort((a, b) => a.localeCompare(b, speech.language));
}

/** Whether a card, by its English name, has daybound or nightbound: then its entering matters. */
export function daybound(name: string): boolean {
  return CARDS.some((card) => card[0] === name && card[3]);
}

/** A card's English name, which is the one in a record; an unknown name stays as it was typed. */
export function english(typed: string): string {
  const name = typed.trim();
  const found = CARDS.find((card) => card.some((one) => typeof one === "string" && one.toLowerCase() === name.toLowerCase()));
  return found ? found[0] : name;
}
