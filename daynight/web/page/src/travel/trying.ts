import type { Source } from "../source/source";
import type { Held } from "../model/held";

/** How many events around the one that is looked for are asked for. */
const AROUND = 64;

/** The record's event that an event of a what-if is, or the last one before what is put in there. */
export function recordedAt(held: Held, at: number): number {
  for (let event = at; held.has(event); event -= 1) {
    const of = held.moment(event)?.of;
    if (of) return of;
  }
  return at;
}

/** Where an event of the record is in a what-if; where it is not in it, the first event after it parts. */
export async function placeOf(source: Source, of: number, last: number): Promise<number> {
  const page = await source.moments(Math.max(1, Math.min(of - AROUND, last)), 2 * AROUND);
  const same = page.moments.find((one) => one.of === of);
  return Math.min(last, same?.event ?? (page.parted ?? 0) + 1);
}
