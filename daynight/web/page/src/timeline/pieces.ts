import type { Look, Run } from "../model/runs";

/** How many stretches are drawn at most. */
export const MOST = 150;

/** A rectangle of the timeline: where it begins, how wide and high it is, and what it is in there. */
export interface Piece {
  x: number;
  wide: number;
  y: number;
  high: number;
  look: Look;
}

/**
 * What is drawn of the events `first` to `last`. Runs too narrow to be seen each are drawn as one, in which each has the
 * part of the height that it has of the time: few elements, however long the game, and only what is open is hatched.
 */
export function pieces(runs: readonly Run[], first: number, last: number, width: number, top = 16, height = 20, most = MOST): Piece[] {
  const across = (event: number): number => ((event - first) / (last - first + 1)) * width;
  const found: Piece[] = [];
  let some: { x: number; wide: number; share: Partial<Record<Look, number>> } | null = null;
  const put = (): void => {
    if (!some) return;
    const { x, wide, share } = some;
    let y = top;
    for (const look of ["day", "neither", "open", "night"] as const) {
      const high = (height * (share[look] ?? 0)) / wide;
      if (high > 0) found.push({ x, wide, y, high, look });
      y += high;
    }
    some = null;
  };
  for (const run of runs) {
    if (run.last < first || run.first > last) continue;
    const x = across(Math.max(first, run.first));
    const wide = across(Math.min(last, run.last) + 1) - x;
    if (wide >= width / most) {
      put();
      found.push({ x, wide, y: top, high: height, look: run.look });
      continue;
    }
    some ??= { x, wide: 0, share: {} };
    some.wide += wide;
    some.share[run.look] = (some.share[run.look] ?? 0) + wide;
    if (some.wide >= width / most) put();
  }
  put();
  return found;
}
