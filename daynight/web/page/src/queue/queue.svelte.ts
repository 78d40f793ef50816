import { commandId, segment } from "../source/http";
import { Refusal, reasonOf, sentenceOf } from "../source/refusal";
import type { Source } from "../source/source";
import type { Acknowledged, Moment } from "../source/types";
import { t } from "../words/speech.svelte";
import type { Keeping, Place, Sent, Unsent, View } from "./keeping";

export interface Made {
  body: Record<string, unknown>;
  says: string;
  seen: number;
  head: string;
  turn: number | null;
  passes: boolean;
}

interface Told {
  heard: Heard;
  lost: () => void;
  moved: () => void;
}

/** Receives what was stored; `one` is the command, and null if it was undone. */
type Heard = (answer: Acknowledged, one: Unsent | null) => void;

/** Answers after which the same command may still be stored later. */
const LATER = new Set([0, 408, 425, 429, 500, 502, 503, 504]);
const LONGEST = 15_000;
/** How often a command is retried when the server fails on it, so that the ones behind it do not wait for ever. */
const FAILURES = 4;
const UNBEGUN = (): string => t("The turn that this was made in did not begin as you had it.");

/**
 * The commands of this device that no server has acknowledged. They are kept before they are sent, go one after
 * another, and each is retried as often as needed: its id makes sure that it is stored only once. A command that is
 * refused for good leaves the queue: its sender is told, and the commands after it go on.
 */
export class Queue {
  unsent = $state.raw<Unsent[]>([]);
  /** Commands made at this address in another game, or by a version of the page that did not tell games apart: they are never sent. */
  foreign = $state.raw<Unsent[]>([]);
  /** The identity of the game whose commands are sent; null: it is not known yet, and nothing is sent. */
  identity = $state<string | null>(null);
  /** The last command stored from here, so that it can be undone. */
  sent = $state.raw<Sent[]>([]);
  /** Whether the last attempt reached the server; null before the first. */
  reached = $state<boolean | null>(null);
  /** Why sending has stopped: the link has ended. */
  ended = $state<string | null>(null);
  /** How many commands are being written to the store: they were pressed, and cannot be sent yet. */
  adding = $state(0);
  code = $state<string | null>(null);
  /** Why something could not be undone after it was stored. */
  kept = $state<string | null>(null);
  /** An action that somebody else had already done. */
  already = $state<string | null>(null);
  /** The last event stored from here: the next command's sender has seen it. */
  private place: Place = { last: 0, head: "" };
  private running = false;
  /** The id of the command whose answer is awaited. */
  private sending: string | null = null;
  private wait = 500;
  /** How often the server has failed on the current command. */
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    private readonly keeping: Keeping,
    private readonly source: Source,
    private readonly heard: Heard,
    private readonly lost: () => void,
    private readonly moved: () => void,
  ) {}

  /** `heard` is called when something was stored, `lost` when nobody answers, `moved` when another game answers. */
  static async open(keeping: Keeping, source: Source, identity: string | null, { heard, lost, moved }: Told): Promise<Queue> {
    const queue = new Queue(keeping, source, heard, lost, moved);
    await queue.bind(identity);
    return queue;
  }

  /** From now on only commands made in this game are sent. */
  async bind(identity: string | null): Promise<void> {
    if (identity !== this.identity) this.place = { last: 0, head: "" };
    this.identity = identity;
    await this.read();
  }

  private async read(): Promise<void> {
    const { identity } = this;
    const all = await this.keeping.unsent(this.source.id);
    const sent = identity === null ? [] : await this.keeping.sent({ game: this.source.id, identity });
    if (identity !== this.identity) return;
    this.unsent = all.filter((one) => one.identity === identity);
    this.foreign = all.filter((one) => one.identity !== identity);
    this.sent = sent;
  }

  /** What the server must still be told: commands and undos. */
  get waiting(): (Unsent | Sent)[] {
    return [...this.sent.filter((one) => one.undone), ...this.pending];
  }

  /** The commands to be sent, in order. */
  get pending(): Unsent[] {
    return this.unsent.filter((one) => !one.asked);
  }

  /** The commands that were refused for good, until the user decides about them. */
  get refused(): Unsent[] {
    return this.unsent.filter((one) => one.asked);
  }

  /** Whether a turn is being passed at the moment. */
  get passing(): boolean {
    return this.pending.some((one) => one.passes);
  }

  /** Keeps a command, and then sends it. */
  async add(made: Made): Promise<void> {
    const { identity } = this;
    if (identity === null) return;
    this.kept = this.already = null;
    this.adding += 1;
    try {
      const { last, head } = this.seen({ last: made.seen, head: made.head });
      await this.keeping.keep({ ...made, seen: last, head, identity, id: commandId(), game: this.source.id, made: new Date().toISOString() });
      await this.read();
    } finally {
      this.adding -= 1;
    }
    this.soon(0);
  }

  /** What the sender has seen, including their own stored commands. */
  private seen(place: Place): Place {
    return this.place.last > place.last ? this.place : place;
  }

  /** Sends after a delay, or at once. */
  soon(wait: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), wait);
  }

  /** The server answers: it is asked at once, and nothing shown here is old only because an earlier attempt failed. */
  answers(): void {
    this.reached = true;
    this.soon(0);
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private async flush(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      // Another window may send the same queue: it is read again before each command.
      for (;;) {
        await this.read();
        if (this.identity === null) return;
        const [head] = this.pending;
        // The last one first: the server undoes only the latest event. An undo that was already sent stays the same.
        const owed = head?.undone ? undefined : (this.sent.find((one) => one.undo?.tried) ?? this.sent.findLast((one) => one.undone));
        if (owed) {
          if (!(await this.takeBack(owed))) return;
        } else if (!head || !(await this.send(head))) {
          return;
        }
      }
    } finally {
      this.running = false;
      await this.read();
    }
  }

  /** Sends a command; says whether the next one may be sent. */
  private async send(one: Unsent): Promise<boolean> {
    // Without a network (`onLine`), only a server on this machine can be reached.
    if (navigator.onLine && !one.tried) await this.keeping.trying(one);
    this.sending = one.id;
    try {
      const answer = await this.source.act("commands", { ...one.body, seen: one.seen, head: one.head, command: one.id });
      this.went(one, answer);
      await this.keeping.acknowledge(one, answer.first, answer, commandId());
      this.reached = true;
      this.ended = null;
      this.code = answer.code;
      this.wait = 500;
      this.failures = 0;
      if (one.identity === this.identity) this.heard(answer, one);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      if (this.undecided(thrown) || this.elsewhere(one, thrown)) return false;
      await this.read();
      if (this.done(one, thrown)) {
        this.already = t("already passed");
        await this.keeping.drop(one);
        return true;
      }
      await this.keeping.ask(one, await this.asked(one, thrown), UNBEGUN());
      return true;
    } finally {
      this.sending = null;
    }
  }

  /** Whether a refusal is temporary: the command is sent again later, or with a new link. */
  private undecided(refusal: Refusal): boolean {
    this.reached = refusal.status !== 0;
    if (!this.reached) this.lost();
    if (refusal.status === 401) {
      this.ended = sentenceOf(refusal);
      // A new link may be opened in another window: both windows share its cookie.
      this.soon(LONGEST);
      return true;
    }
    if (!LATER.has(refusal.status)) return false;
    this.failures += refusal.status === 500 ? 1 : 0;
    if (this.failures === FAILURES) {
      this.failures = 0;
      return false;
    }
    this.soon(this.wait);
    this.wait = Math.min(LONGEST, this.wait * 2);
    return true;
  }

  /** Undoes a command that turned out to be stored; says whether the next one may be sent. */
  private async takeBack(one: Sent): Promise<boolean> {
    const { id, seen, head } = one.undo ?? { id: `${one.id}/undo`, seen: one.last, head: "" };
    try {
      if (navigator.onLine && !one.undo?.tried) await this.keeping.undoing(one);
      // Every attempt has the same id and `seen`: it is undone only once, and a late copy of a refused undo is refused too.
      const answer = await this.source.act("undo", { undoes: one.id, seen, head, command: id });
      this.went(one, answer);
      await this.keeping.forget(one, answer);
      this.reached = true;
      this.code = answer.code;
      if (one.identity === this.identity) this.heard(answer, null);
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      if (this.undecided(thrown) || this.elsewhere(one, thrown)) return false;
      this.kept = t("{what} was recorded, and could not be taken back: {why}", { what: one.says, why: reasonOf(thrown) });
      await this.keeping.forget(one, null);
    }
    return true;
  }

  private went(one: { identity: string }, { last, head }: Place): void {
    if (one.identity === this.identity && last > this.place.last) this.place = { last, head };
  }

  /** Whether a refusal says that another game is at this address now: the commands of this game wait until it returns. */
  private elsewhere(one: { identity: string }, refusal: Refusal): boolean {
    const { identity } = refusal.problem as { identity?: string };
    if (refusal.code !== "other-game" || identity === one.identity) return false;
    this.identity = null;
    this.moved();
    return true;
  }

  /** Whether somebody else had already passed the turn that was to be passed, and no later command was made here. */
  private done(one: Unsent, refusal: Refusal): boolean {
    const since = (refusal.problem as { since?: Moment[] | null }).since;
    if (refusal.code !== "stale" || !since || JSON.stringify(one.body) !== '{"do":"pass-turn"}') return false;
    const turns = since.filter((each) => /^(turn-began|game-)/.test(each.record.type));
    const behind = this.pending.some((each) => each.n > one.n);
    return !behind && turns.length === 1 && turns[0]?.record.type === "turn-began" && turns[0].record.turn === (one.turn ?? 0) + 1;
  }

  private async asked(one: Unsent, refusal: Refusal): Promise<NonNullable<Unsent["asked"]>> {
    if (refusal.status === 500) return { why: t("The server fails over this. Look whether it is in the log."), turn: null, since: [] };
    if (refusal.code === "other-game") return { why: t("The game was restored from an older copy, without what you had seen. Look at the log, and press what is missing."), turn: null, since: [] };
    if (refusal.code !== "stale") return { why: sentenceOf(refusal), turn: null, since: [] };
    const { turn = null, last = 0 } = refusal.problem as { turn?: number | null; last?: number };
    let since = (refusal.problem as { since?: Moment[] | null }).since ?? null;
    if (since === null) {
      since = await this.source.moments(Math.max(one.seen + 1, last - 19), 20).then(
        (page) => page.moments,
        () => [],
      );
    }
    const told = since.map(({ event, sentence }) => ({ event, sentence }));
    return { why: t("The game went on to another turn before this was stored."), turn, since: told };
  }

  /** Sends a command again that was refused because something came between; its sender has seen that now. */
  async again({ body, says, turn, passes, ...one }: Unsent, view: View): Promise<void> {
    await this.keeping.drop({ ...one, body, says, turn, passes });
    await this.add({ body, says, turn, passes, seen: view.last, head: view.head ?? "" });
  }

  /** Drops the commands made in another game. */
  async forgo(): Promise<void> {
    for (const one of this.foreign) await this.keeping.drop(one);
    await this.read();
  }

  async drop(one: Unsent): Promise<void> {
    await this.keeping.drop(one);
    await this.read();
  }

  /** Calls a judge about the last seen event, says there what was to be recorded, and drops the command. */
  async judge(one: Unsent): Promise<void> {
    const about = Math.max(1, one.seen);
    const opened = await this.source.act("disputes", { command: `${one.id}/judge`, about, ...(one.seen > 0 && { head: one.head }) });
    if (opened.dispute !== undefined) {
      const route = `disputes/${segment(opened.dispute)}/claims` as const;
      const says = t("Not recorded: {what} (turn {turn}).", { what: one.says, turn: one.turn ?? "?" });
      await this.source.act(route, { command: `${one.id}/says`, says });
    }
    await this.drop(one);
  }

  /** What the undo button undoes: an unsent command, or what the game names, or, if that is not known, the last command stored from here. */
  undoable(view: View | null, heard: boolean): Unsent | Sent | undefined {
    const last = <T extends Unsent | Sent>(some: T[]): T | undefined => some.findLast((one) => !one.undone);
    const pending = last(this.pending);
    if (pending || !view || this.identity === null) return pending;
    // A command whose answer was lost is still in `pending`, though the game names it.
    const owed = new Set([...this.sent, ...this.pending].filter((one) => one.undone).map(({ id }) => id));
    const named = this.named(view);
    if (heard && owed.size === 0 && named !== undefined) return named ?? undefined;
    const mine = last(this.sent);
    return named && !owed.has(named.id) && named.last > (mine?.last ?? 0) ? named : mine;
  }

  /** What the game names, if it may be undone from here; undefined: it is not known. */
  private named({ undoable, role, you, rules, recent, players }: View): Sent | null | undefined {
    if (!undoable) return undoable;
    const ruled = rules && players.includes(undoable.by) && recent.some(({ event, record }) => event === undoable.first && record.type === "judge-ruled");
    if (role === "player" && undoable.by !== you && !ruled) return null;
    const { command, first, last, sentence } = undoable;
    return { id: command, game: this.source.id, identity: this.identity ?? "", first, last, says: sentence };
  }

  /** Undoes it: a command that was never sent is dropped; one that is stored, or may be, is backed up as soon as possible. */
  async undo(view: View, heard: boolean): Promise<void> {
    const one = this.undoable(view, heard);
    if (!one) return;
    this.kept = null;
    const { last, head } = this.seen({ last: view.last, head: view.head ?? "" });
    const owed = await this.keeping.withdraw(one, this.sending === one.id, { id: commandId(), seen: last, head });
    if (!owed && "n" in one) await this.keeping.drop(one);
    await this.read();
    this.soon(0);
  }

  /** All unsent commands, one per line, to be copied elsewhere. */
  lines(some: readonly Unsent[] = this.unsent): string {
    return some.filter((one) => !one.undone).map(({ id, made, seen, turn, says, body }) => `${JSON.stringify({ command: id, made, seen, turn, says, ...body })}\n`).join("");
  }
}
