import known from "./cards.json";
import { speech } from "./speech.svelte";

// Each card by its names in English, French and Japanese; where one is not known the English stands.
export const CARDS = known as [string, string, string][];
export const PLACES = { en: 0, fr: 1, ja: 2 } as const;

const PLACED = new Map(CARDS.map((card) => [card[0], card]));

/** The name of a card, or of one of its faces, in the language of the page. */
export function inLanguage(name: string): string {
  return PLACED.get(name)?.[PLACES[speech.language]] ?? name;
}
