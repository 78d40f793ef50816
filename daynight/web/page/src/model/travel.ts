import type { Debugger } from "./debugger.svelte";

type Way = 1 | -1;

/** Goes to the next turn's beginning, or to the one before. */
export function byTurn(game: Debugger, way: Way): void {
  const mark = game.marks.beside("turn", game.at, way);
  game.seek(mark ? mark.event : way > 0 ? game.last : 1);
}

/** Goes to the next step or phase, or to the one before. */
export function byStep(game: Debugger, way: Way): void {
  const { held } = game;
  for (let event = game.at + way; held.has(event); event += way) {
    const type = held.moment(event)?.record.type;
    if (type === "step-began" || type === "turn-began") {
      game.seek(event);
      return;
    }
  }
  game.seek(way > 0 ? held.end + 1 : held.first - 1);
}

/** Jumps to the next change of day and night, or to the next disagreement; says whether there is one. */
export function byMark(game: Debugger, kind: "change" | "disagreement", way: Way): boolean {
  const mark = game.marks.beside(kind, game.at, way);
  if (mark) game.jump(mark.event);
  return mark !== undefined;
}

/** Turns to the next branch at a fork, or to the one before. */
export function byBranch(game: Debugger, way: Way): void {
  const { ways } = game;
  const to = ways[ways.indexOf(game.branch) + way];
  if (to !== undefined) void game.turnTo(to);
}
