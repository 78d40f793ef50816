// Applies the deltas of pages of moments, with the page's own function, and holds each state against the server's.
// One page a line comes in: {"name", "page", "states"}; a line that differs goes out.
import { deepStrictEqual } from "node:assert";
import { createInterface } from "node:readline";

const { applied } = await import(process.argv[2]);

for await (const line of createInterface({ input: process.stdin })) {
  const { name, page, states } = JSON.parse(line);
  let state = page.before;
  page.moments.forEach((moment, place) => {
    const before = state === null ? null : structuredClone(state);
    const after = applied(state, moment);
    try {
      deepStrictEqual(after, states[place]);
      // What was handed in is as it was: states before it are held, too.
      deepStrictEqual(state, before);
    } catch (error) {
      console.log(`${name}, event ${moment.event}: ${error.message}`);
    }
    state = after;
  });
}
console.log("done");
