import known from "./cards.json";
import faces from "./faces.json";
import { speech } from "./speech.svelte";

// Each card, and each other face of one, by its names in English, French and Japanese; where one is not known the English stands.
export const CARDS = known as [string, string, string][];
export const PLACES = { en: 0, fr: 1, ja: 2 } as const;

const PLACED = new Map([...CARDS, ...(faces as [string, string, string][])].map((names) => [names[0], names]));

/** Whether a name is known in the language of the page: then it is not English. */
export function isPrinted(name: string): boolean {
  return speech.language !== "en" && PLACED.has(name) && inLanguage(name) !== name;
}

/** The name of a card, or of one of its faces, in the language of the page. */
export function inLanguage(name: string): string {
  return PLACED.get(name)?.[PLACES[speech.language]] ?? name;
}
