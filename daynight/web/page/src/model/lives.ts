import type { Held } from "./held";

/** A value that a part had, from one event to another. */
export interface Run {
  first: number;
  last: number;
  says: string;
}

/** A part of the state, by its name and its subject, and the values that it had. */
export interface Life {
  name: string;
  runs: Run[];
}

/** The lives of all parts, of the moments that are held, in the order in which the parts came to be. */
export function livesOf(held: Held): Life[] {
  const found = new Map<string, Run[]>();
  held.states.forEach((state, index) => {
    const event = held.first + index;
    for (const [part, subjects] of Object.entries(state.parts ?? {})) {
      for (const [subject, { says }] of Object.entries(subjects)) {
        const name = subject ? `${part} ${subject}` : part;
        const runs = found.get(name) ?? [];
        const before = runs.at(-1);
        if (before && before.last === event - 1 && before.says === says) before.last = event;
        else runs.push({ first: event, last: event, says });
        found.set(name, runs);
      }
    }
  });
  return [...found].map(([name, runs]) => ({ name, runs }));
}
