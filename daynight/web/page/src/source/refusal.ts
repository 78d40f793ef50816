import { speech } from "../words/speech.svelte";
import type { Problem } from "./types";

/** The server's refusal: its sentence is for people. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly problem: Partial<Problem> = {},
  ) {
    super(detail);
  }
}

/** Why something was refused, as a part of another sentence. The place in what the page sent is left out: nobody wrote that. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const path = thrown instanceof Refusal && typeof thrown.problem.path === "string" ? `${thrown.problem.path}: ` : null;
  const place = path === null ? -1 : thrown.message.indexOf(path);
  return path === null || place < 0 ? thrown.message : thrown.message.slice(place + path.length);
}

/** The sentence of anything that was thrown, which stands alone. */
export function sentenceOf(thrown: unknown): string {
  return alone(reasonOf(thrown));
}

/** A sentence that stands alone: it begins with a capital letter, unless with a name like e12, and ends with a full stop. */
export function alone(sentence: string): string {
  const begun = sentence.replace(/^\p{Ll}(?=[\p{L}’'-]*[\s,;:])/u, (letter) => letter.toLocaleUpperCase(speech.language));
  return /[\p{L}\p{N})\]"'»”’」]$/u.test(begun) ? `${begun}${speech.language === "ja" ? "。" : "."}` : begun;
}
