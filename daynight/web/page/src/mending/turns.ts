import type { Edit, Moment, RecordLine } from "../source/types";
import { enters, leaves } from "../table/doing";

/** A turn as recorded: its events that stand, and what each player cast in it. */
export interface Turn {
  turn: number;
  active: string[];
  /** Its first event and its last one. */
  began: number;
  last: number;
  /** The casts of each player, as event numbers. */
  casts: Record<string, number[]>;
  /** Players who cast an unknown number of further spells. */
  doubted: string[];
  /** Whether the turn was not recorded while it was played. */
  unwritten: boolean;
}

/** What is corrected in a turn: more or fewer casts, whose turn it was, what entered and left. */
export interface Mend {
  casts: Record<string, number>;
  active?: string;
  entered: { card: string; player: string }[];
  left: { permanent: string; name: string }[];
}

const APART = /^(dispute-|note-added|game-backed-up)/;

/** The turns of a stretch of the log, as far as they stand; the latest first. */
export function turnsOf(moments: readonly Moment[], undone: readonly (readonly [number, number])[]): Turn[] {
  const turns: Turn[] = [];
  for (const { event, record } of moments) {
    if (APART.test(record.type) || undone.some(([first, last]) => first <= event && event <= last)) continue;
    const { turn, active, player, meta } = record as RecordLine & { turn?: number; active?: string[]; player?: string; meta?: { unwritten?: boolean } };
    if (record.type === "turn-began") {
      turns.unshift({ turn: turn ?? 0, active: active ?? [], began: event, last: event, casts: {}, doubted: [], unwritten: meta?.unwritten === true });
    }
    const [now] = turns;
    if (!now) continue;
    now.last = event;
    if (record.type === "spell-cast" && player !== undefined) now.casts[player] = [...(now.casts[player] ?? []), event];
    if (record.type === "spells-uncertain" && player !== undefined) now.doubted.push(player);
  }
  return turns;
}

export function blank(): Mend {
  return { casts: {}, entered: [], left: [] };
}

/** The edits that correct a turn. */
export function editsOf(turn: Turn, mend: Mend): Edit[] {
  const edits: Edit[] = [];
  const put: RecordLine[] = [];
  for (const [player, more] of Object.entries(mend.casts)) {
    for (let number = 0; number < more; number += 1) put.push({ type: "spell-cast", player });
    for (const at of more < 0 ? (turn.casts[player] ?? []).slice(more) : []) edits.push({ at, drop: true });
  }
  const bodies = [...mend.entered.map(({ card, player }) => enters(card, player)), ...mend.left.map(({ permanent, name }) => leaves(permanent, name))];
  put.push(...bodies.flatMap(({ body }) => body.events as RecordLine[]));
  if (put.length > 0) edits.push({ at: turn.last, insert: put });
  if (mend.active !== undefined && !turn.active.includes(mend.active)) {
    const began: RecordLine = { type: "turn-began", turn: turn.turn, active: [mend.active] };
    edits.push({ at: turn.began, replace: [began] });
  }
  return edits;
}
