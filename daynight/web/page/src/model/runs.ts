import type { Change, Designation } from "../source/types";
import type { Held } from "./held";

export type Look = Designation | "open";

/** The first and the last event between which the game was the same. */
export interface Run {
  first: number;
  last: number;
  look: Look;
}

/**
 * When it was day and when it was night, from event 1 to `last`: from the held states, and before and after them from
 * the changes in the record. If only some possibilities changed, it is open until the next certain change.
 */
export function runs(held: Held, changes: readonly Change[], last: number): Run[] {
  const found: Run[] = [];
  const add = (first: number, to: number, look: Look): void => {
    if (to < first) return;
    const before = found.at(-1);
    if (before && before.look === look && before.last === first - 1) before.last = to;
    else found.push({ first, last: to, look });
  };
  const told = (first: number, to: number): void => {
    let from = first;
    let look: Look = "neither";
    for (const change of changes) {
      const became: Look = change.certain === false ? "open" : change.became;
      if (change.event > to) break;
      if (change.event <= from) {
        look = became;
        continue;
      }
      add(from, change.event - 1, look);
      from = change.event;
      look = became;
    }
    add(from, to, look);
  };
  if (held.moments.length === 0) {
    told(1, last);
    return found;
  }
  told(1, held.first - 1);
  held.states.forEach((state, index) => add(held.first + index, held.first + index, state.designation ?? "open"));
  told(held.end + 1, last);
  return found;
}
