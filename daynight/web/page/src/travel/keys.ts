import { t } from "../words/speech.svelte";
import type { Debugger } from "../model/debugger.svelte";
import type { Desk, Tool } from "../model/desk.svelte";
import { still } from "./motion";
import { byBranch, byMark, byStep, byTurn } from "./travel";

export interface Key {
  /** As in `KeyboardEvent.key`, with "Shift+" before it if that is held. */
  on: string;
  /** The key in words. */
  cap: string;
  says: () => string;
  act: () => void;
}

export interface Doing {
  game: Debugger;
  desk: Desk;
  open(tool: Tool): void;
  find(): void;
  copy(): void;
  compare(): void;
  mend(): void;
}

/** Every key of the debugger, in the order of its help. */
export function keysOf({ game, desk, open, find, copy, compare, mend }: Doing): Key[] {
  // That there is none is said only once all marks have come: the key may be pressed before.
  const mark = async (kind: "change" | "disagreement", way: 1 | -1): Promise<void> => {
    if (game.last === 0 || byMark(game, kind, way)) return;
    await game.marks.loaded;
    if (!byMark(game, kind, way)) desk.tell(t("There is none in this direction."));
  };
  const play = (): void => {
    if (game.player.playing) game.player.pause();
    else if (still()) desk.tell(t("Nothing plays by itself here, as your system asks for little motion."));
    else game.player.play(game);
  };
  return [
    { on: "ArrowRight", cap: "→", says: () => t("next event"), act: () => game.seek(game.at + 1) },
    { on: "ArrowLeft", cap: "←", says: () => t("previous event"), act: () => game.seek(game.at - 1) },
    { on: "Shift+ArrowRight", cap: "Shift →", says: () => t("next turn"), act: () => byTurn(game, 1) },
    { on: "Shift+ArrowLeft", cap: "Shift ←", says: () => t("previous turn"), act: () => byTurn(game, -1) },
    { on: "PageDown", cap: "PgDn", says: () => t("next step or phase"), act: () => byStep(game, 1) },
    { on: "PageUp", cap: "PgUp", says: () => t("previous step or phase"), act: () => byStep(game, -1) },
    { on: "Home", cap: "Home", says: () => t("first event"), act: () => game.jump(1) },
    { on: "End", cap: "End", says: () => t("back to the end"), act: () => game.jump(game.last) },
    { on: "n", cap: "n", says: () => t("next change"), act: () => mark("change", 1) },
    { on: "p", cap: "p", says: () => t("previous change"), act: () => mark("change", -1) },
    { on: "x", cap: "x", says: () => t("next disagreement"), act: () => mark("disagreement", 1) },
    { on: "Shift+X", cap: "Shift x", says: () => t("previous disagreement"), act: () => mark("disagreement", -1) },
    { on: "ArrowDown", cap: "↓", says: () => t("next branch"), act: () => byBranch(game, 1) },
    { on: "ArrowUp", cap: "↑", says: () => t("previous branch"), act: () => byBranch(game, -1) },
    { on: "b", cap: "b", says: () => (game.about?.mechanic ? t("Back to the record") : t("back to the recorded game")), act: () => void (game.tried !== null ? game.leave() : game.branch !== null && game.turnTo(null)) },
    { on: "g", cap: "g", says: () => t("go to a moment"), act: () => (desk.dialog = "go") },
    { on: "/", cap: "/", says: () => t("find in the log"), act: find },
    { on: "w", cap: "w", says: () => t("what would make it right; elsewhere what if, from here"), act: mend },
    { on: "d", cap: "d", says: () => t("disputes"), act: () => open("disputes") },
    { on: "a", cap: "a", says: () => t("mark this moment as A"), act: () => (desk.marked = game.at) },
    { on: "c", cap: "c", says: () => t("compare A with here"), act: compare },
    { on: "m", cap: "m", says: () => t("notes at this moment"), act: () => open("notes") },
    { on: "y", cap: "y", says: () => t("copy the address of this moment"), act: copy },
    { on: " ", cap: "Space", says: () => t("play or pause"), act: play },
    { on: "i", cap: "i", says: () => t("go to the reasons"), act: () => open("why") },
    { on: "Escape", cap: "Esc", says: () => t("close what was opened"), act: () => (desk.permanent = null) },
    { on: "?", cap: "?", says: () => t("this help"), act: () => (desk.dialog = "help") },
  ];
}

const FIELD = "input, textarea, select, [contenteditable]";

/** The action key of a key press, or null if the press belongs to a field, a button, a dialog or the browser. */
export function pressed(event: KeyboardEvent, keys: readonly Key[], letters: boolean): Key | null {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || event.isComposing) return null;
  const on = event.target instanceof Element ? event.target : document.body;
  if (on.closest("dialog[open]")) return null;
  const slider = on instanceof HTMLInputElement && on.type === "range";
  if (!slider && on.closest(FIELD)) return null;
  const single = event.key.length === 1;
  if (slider && !single) return null;
  if (event.key === " " && on.closest("button, a, summary, [role=button]")) return null;
  if (single && !letters && event.key !== " ") return null;
  const name = event.shiftKey && event.key !== "?" && event.key !== "/" ? `Shift+${event.key}` : event.key;
  return keys.find((key) => key.on === name) ?? null;
}
