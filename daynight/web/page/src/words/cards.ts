import known from "./cards.json";
import faces from "./faces.json";
import { speech } from "./speech.svelte";

// Each card and each other face by its name in English, French and Japanese; if one is unknown, the English name stands.
export const CARDS = known as [string, string, string][];
export const PLACES = { en: 0, fr: 1, ja: 2 } as const;

const PLACED = new Map([...CARDS, ...(faces as [string, string, string][])].map((names) => [names[0], names]));

/** Whether a card has a name in the language of the page, other than English. */
export function isPrinted(name: string): boolean {
  return speech.language !== "en" && PLACED.has(name) && inLanguage(name) !== name;
}

/** The name of a card, or of one of its faces, in the language of the page. */
export function inLanguage(name: string): string {
  return PLACED.get(name)?.[PLACES[speech.language]] ?? name;
}
