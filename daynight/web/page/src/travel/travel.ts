import type { Mark } from "../source/types";
import type { Debugger } from "../model/debugger.svelte";

type Way = 1 | -1;

/** Goes to the beginning of the next or the previous turn. */
export function byTurn(game: Debugger, way: Way): void {
  const { held, marks } = game;
  const mark = marks.beside("turn", game.at, way);
  if (way > 0 ? game.at < marks.turnsTo : game.at <= marks.turnsTo) {
    game.seek(mark ? mark.event : way > 0 ? game.last : 1);
    return;
  }
  // Not all turns of a long record are known: this one is looked up among the loaded events.
  for (let event = game.at + way; held.has(event); event += way) {
    if (held.moment(event)?.record.type === "turn-began") return game.seek(event);
  }
  game.seek(way > 0 ? held.end + 1 : held.first - 1);
}

/** Goes to the next or the previous step or phase. */
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

/**
 * Jumps to the next change of day and night, or to the next disagreement; says whether there is one. The first
 * disagreement follows the last, because one starts at the end of the game.
 */
export function byMark(game: Debugger, kind: "change" | "disagreement", way: Way): boolean {
  const mark = game.marks.beside(kind, game.at, way) ?? (kind === "disagreement" ? around(game, way) : undefined);
  if (mark) game.jump(mark.event);
  return mark !== undefined;
}

function around(game: Debugger, way: Way): Mark | undefined {
  const all = game.marks.of("disagreement");
  const mark = way > 0 ? all[0] : all.at(-1);
  return mark?.event === game.at ? undefined : mark;
}

/** Switches to the next or the previous branch at a fork. */
export function byBranch(game: Debugger, way: Way): void {
  const { ways } = game;
  const to = ways[ways.indexOf(game.branch) + way];
  if (to !== undefined) void game.turnTo(to);
}
