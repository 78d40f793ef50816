/** Finds places in a list ordered by event, in few steps however long it is. */

interface Placed {
  readonly event: number;
}

/** How many of them are at or before an event. */
function until(some: readonly Placed[], event: number): number {
  let low = 0;
  let high = some.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((some[middle]?.event ?? Infinity) <= event) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last one at or before an event. */
export function lastAt<T extends Placed>(some: readonly T[], event: number): T | undefined {
  return some[until(some, event) - 1];
}

/** The next one after an event, or the last one before it. */
export function beside<T extends Placed>(some: readonly T[], event: number, step: 1 | -1): T | undefined {
  return step > 0 ? some[until(some, event)] : lastAt(some, event - 1);
}
