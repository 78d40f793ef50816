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

/** The sentence of anything that was thrown. */
export function sentenceOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
