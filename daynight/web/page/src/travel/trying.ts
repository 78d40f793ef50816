import type { Source } from "../source/source";
import type { Held } from "../model/held";

/** How many events around the searched one are requested. */
const AROUND = 64;

/** The record's event that matches an event of a what-if, or the last one before an inserted event. */
export function recordedAt(held: Held, at: number): number {
  for (let event = at; held.has(event); event -= 1) {
    const of = held.moment(event)?.of;
    if (of) return of;
  }
  return at;
}

/** Where an event of the record is in a what-if; if it is not there, the first event after the branch parts. */
export async function placeOf(source: Source, of: number, last: number): Promise<number> {
  const page = await source.moments(Math.max(1, Math.min(of - AROUND, last)), 2 * AROUND);
  const same = page.moments.find((one) => one.of === of);
  return Math.min(last, same?.event ?? (page.parted ?? 0) + 1);
}
