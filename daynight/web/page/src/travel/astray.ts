import { t } from "../words/speech.svelte";
import type { Place } from "./place";

/** Says which part of an address was not found, if one came by it; null if all was found. */
export function astray({ event, branch, tried, strange }: Place, here: { branch: string | null; last: number; tried: unknown }): string | null {
  if (strange !== undefined) return t("The address names no moment that is known: {place}", { place: strange });
  if (branch !== null && here.branch === null) return t("There is no branch {branch}; this is the recorded game.", { branch });
  if (tried !== null && here.tried === null) return t("Nothing can be tried here; this is the recorded game.");
  if (event !== null && event > here.last) return t("There is no event {event}; the last one is {last}.", { event, last: here.last });
  return null;
}
