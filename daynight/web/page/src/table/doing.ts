import type { Designation, State } from "../source/types";
import { cardWord, designationWord } from "../words/game";
import { counted, listed, t } from "../words/speech.svelte";
import type { Made } from "../queue/queue.svelte";
import type { View } from "../queue/keeping";

export type Doing = Pick<Made, "body" | "says" | "passes">;

/** What a person at a table does, as a command and in words. */

export function cast(player: string, card: string | null): Doing {
  const event = card === null ? { type: "spell-cast", player } : { type: "spell-cast", player, card };
  const says = card === null ? t("{player} casts a spell", { player }) : t("{player} casts {card}", { player, card: cardWord(card) });
  return { body: { events: [event] }, says, passes: false };
}

export function pass({ untap = true, active = null }: { untap?: boolean; active?: string | null } = {}): Doing {
  const body: Record<string, unknown> = { do: "pass-turn" };
  if (!untap) body.skips = ["untap"];
  if (active !== null) body.active = [active];
  let says = t("the turn is passed");
  if (active !== null) says = t("an extra turn of {player} begins", { player: active });
  else if (!untap) says = t("the turn is passed; the next one has no untap step");
  return { body, says, passes: true };
}

export function enters(card: string, controller: string): Doing {
  const name = card.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 40) || "card";
  const mark = Array.from(crypto.getRandomValues(new Uint8Array(3)), (one) => one.toString(16).padStart(2, "0")).join("");
  const body = { events: [{ type: "permanents-entered", permanents: [{ id: `${name}-${mark}`, card, controller }] }] };
  return { body, says: t("{card} enters under {player}", { card: cardWord(card), player: controller }), passes: false };
}

export function leaves(permanent: string, name: string): Doing {
  return { body: { events: [{ type: "permanents-left", permanents: [permanent] }] }, says: t("{card} leaves the battlefield", { card: cardWord(name) }), passes: false };
}

export function becomes(designation: "day" | "night"): Doing {
  return { body: { events: [{ type: "effect-resolved", becomes: designation }] }, says: t("an effect makes it {designation}", { designation: designationWord(designation) }), passes: false };
}

/** The author is not part of what is sent: the server sets it from the link. */
export function claims(designation: Designation): Doing {
  return { body: { events: [{ type: "designation-claimed", designation }] }, says: t("claimed: it is {designation}", { designation: designationWord(designation) }), passes: false };
}

export function doubts(player: string, least: number, most: number | null): Doing {
  const event = most === null ? { type: "spells-uncertain", player, at_least: least } : { type: "spells-uncertain", player, at_least: least, at_most: most };
  return { body: { events: [event] }, says: t("nobody is sure how many spells {player} has cast", { player }), passes: false };
}

export function departs(player: string): Doing {
  return { body: { events: [{ type: "player-left", player }] }, says: t("{player} leaves the game", { player }), passes: false };
}

type Waiting = readonly Pick<Made, "body" | "passes">[];

/** The players who are still in the game once all waiting commands are stored. */
export function inGame(view: View, waiting: Waiting = []): string[] {
  const gone = new Set([...(view.left ?? []), ...waiting.flatMap(leaving)]);
  return view.players.filter((one) => !gone.has(one));
}

function leaving(one: Waiting[number]): string[] {
  const events = (one.body.events as { type: string; player?: string }[] | undefined) ?? [];
  return events.flatMap(({ type, player }) => (type === "player-left" && player !== undefined ? [player] : []));
}

/** Whose turn it is once all waiting commands are stored: an extra turn belongs to the named player, others go round the table. */
export function activeOf(view: View, waiting: Waiting): string[] {
  let active = view.state?.active ?? [];
  waiting.forEach((one, place) => {
    if (one.passes) active = (one.body.active as string[] | undefined) ?? [after(view, active, waiting.slice(0, place))];
  });
  return active;
}

function after(view: View, active: readonly string[], waiting: Waiting): string {
  const { players } = view;
  const place = players.findIndex((one) => active.includes(one));
  const there = inGame(view, waiting);
  const round = [...players.slice(place + 1), ...players.slice(0, place + 1)];
  return round.find((one) => there.includes(one)) ?? "";
}

/** Whose turn would be next around the table; the server decides. */
export function next(view: View): string {
  return after(view, view.state?.active ?? [], []);
}

/** The commands that are not confirmed, counted: "2 spells, 1 turn passed". */
export function unconfirmed(some: readonly Pick<Made, "body" | "passes">[]): string {
  const passes = some.filter((one) => one.passes).length;
  const spells = some.flatMap((one) => (one.body.events as { type: string }[] | undefined) ?? []).filter((one) => one.type === "spell-cast").length;
  const others = some.length - passes - spells;
  const told = [
    spells > 0 && counted("{n} spell", "{n} spells", spells),
    passes > 0 && counted("{n} turn passed", "{n} turns passed", passes),
    others > 0 && counted("{n} other press", "{n} other presses", others),
  ];
  return listed(told.filter((one) => one !== false));
}

/** The turn and its player; `called` gives a player's name. */
export function turnWord(state: State | null, called = (player: string): string => player): string {
  if (!state || state.turn === null || state.turn === undefined || state.turn === 0) return t("before the first turn");
  return `${t("turn {turn}", { turn: state.turn })} · ${listed((state.active ?? []).map(called))}`;
}
