import { commandId, segment } from "../source/http";
import { Refusal, sentenceOf } from "../source/refusal";
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

/** Hears what was stored; `one` is the command, and null where it was taken back. */
type Heard = (answer: Acknowledged, one: Unsent | null) => void;

/** What is answered where the same command may be stored later. */
const LATER = new Set([0, 408, 425, 429, 500, 502, 503, 504]);
const LONGEST = 15_000;
/** How often a command is sent to a server that fails over it: nothing waits for ever behind one. */
const FAILURES = 4;
const UNBEGUN = (): string => t("The turn that this was made in did not begin as you had it.");

/**
 * The commands of this device that no server has acknowledged. They are kept before they are sent, go one after
 * another, and each as often as it takes: its id makes sure that it is stored once. What is refused for good, because
 * its turn is over or for any other reason, leaves the queue: its sender is told, and what was made after it goes on.
 */
export class Queue {
  unsent = $state.raw<Unsent[]>([]);
  /** What was made at this address in another game, or is of a version of the page that did not tell games apart: it is never sent. */
  foreign = $state.raw<Unsent[]>([]);
  /** The identity of the game whose commands are sent; null: it is not known yet, and nothing is. */
  identity = $state<string | null>(null);
  /** What was stored from here last, so that it can be taken back. */
  sent = $state.raw<Sent[]>([]);
  /** Whether the last attempt reached the server; null before the first. */
  reached = $state<boolean | null>(null);
  /** Why nothing is sent any more: the link has ended. */
  ended = $state<string | null>(null);
  /** How many commands are being kept just now: they were pressed, and are not sent. */
  adding = $state(0);
  code = $state<string | null>(null);
  /** Why something could not be taken back after it was stored. */
  kept = $state<string | null>(null);
  /** What was to be done, and somebody else had done already. */
  already = $state<string | null>(null);
  /** The last event of what was stored from here: whoever goes on has seen their own. */
  private place: Place = { last: 0, head: "" };
  private running = false;
  /** The id of the command that an answer is awaited to. */
  private sending: string | null = null;
  private wait = 500;
  /** How often the server failed over the command that is sent now. */
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    private readonly keeping: Keeping,
    private readonly source: Source,
    private readonly heard: Heard,
    private readonly lost: () => void,
    private readonly moved: () => void,
  ) {}

  /** `heard` is told what was stored, `lost` that nobody answers, and `moved` that another game does. */
  static async open(keeping: Keeping, source: Source, identity: string | null, { heard, lost, moved }: Told): Promise<Queue> {
    const queue = new Queue(keeping, source, heard, lost, moved);
    await queue.bind(identity);
    return queue;
  }

  /** From now on only what was made in this game is sent. */
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

  /** What the server is still to be told: commands, and what is to be taken back. */
  get waiting(): (Unsent | Sent)[] {
    return [...this.sent.filter((one) => one.undone), ...this.pending];
  }

  /** The commands that are to be sent, in order. */
  get pending(): Unsent[] {
    return this.unsent.filter((one) => !one.asked);
  }

  /** The commands that were refused for good, until somebody has said what becomes of them. */
  get refused(): Unsent[] {
    return this.unsent.filter((one) => one.asked);
  }

  /** Whether a turn is being passed just now. */
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

  /** What a sender has seen who is here: their own too. */
  private seen(place: Place): Place {
    return this.place.last > place.last ? this.place : place;
  }

  /** Sends after a while, or at once. */
  soon(wait: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), wait);
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
        // The last one first: the server takes back only what nothing came after. What was sent already stays what it is.
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

  /** Sends a command; says whether the next one may go. */
  private async send(one: Unsent): Promise<boolean> {
    // Without any network, which `onLine` tells, nothing but a server on this very machine can receive it.
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

  /** Whether a refusal decides nothing: it is sent again after a while, or once there is a new link. */
  private undecided(refusal: Refusal): boolean {
    this.reached = refusal.status !== 0;
    if (!this.reached) this.lost();
    if (refusal.status === 401) {
      this.ended = sentenceOf(refusal);
      // A new link may be opened in another window: its cookie is that of this one too.
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

  /** Takes back what turned out to be stored; says whether the next one may go. */
  private async takeBack(one: Sent): Promise<boolean> {
    const { id, seen, head } = one.undo ?? { id: `${one.id}/undo`, seen: one.last, head: "" };
    try {
      if (navigator.onLine && !one.undo?.tried) await this.keeping.undoing(one);
      // The same id and the same `seen` each time: it is taken back once though an answer is lost, and a late copy of what was refused is refused too.
      const answer = await this.source.act("undo", { undoes: one.id, seen, head, command: id });
      this.went(one, answer);
      await this.keeping.forget(one, answer);
      this.code = answer.code;
      if (one.identity === this.identity) this.heard(answer, null);
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      if (this.undecided(thrown) || this.elsewhere(one, thrown)) return false;
      this.kept = t("{what} was recorded, and could not be taken back: {why}", { what: one.says, why: sentenceOf(thrown) });
      await this.keeping.forget(one, null);
    }
    return true;
  }

  private went(one: { identity: string }, { last, head }: Place): void {
    if (one.identity === this.identity && last > this.place.last) this.place = { last, head };
  }

  /** Whether a refusal says that another game is at this address now: what was made in this one waits until it is there again. */
  private elsewhere(one: { identity: string }, refusal: Refusal): boolean {
    const { identity } = refusal.problem as { identity?: string };
    if (refusal.code !== "other-game" || identity === one.identity) return false;
    this.identity = null;
    this.moved();
    return true;
  }

  /** Whether a turn that was to be passed was passed by somebody else at that moment, and nothing was made after it here. */
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
    if (refusal.code !== "stale") return { why: refusal.message, turn: null, since: [] };
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

  /** What was refused as something came between is made again, by whoever looked at that. */
  async again({ body, says, turn, passes, ...one }: Unsent, view: View): Promise<void> {
    await this.keeping.drop({ ...one, body, says, turn, passes });
    await this.add({ body, says, turn, passes, seen: view.last, head: view.head ?? "" });
  }

  /** Gives up what was made in another game. */
  async forgo(): Promise<void> {
    for (const one of this.foreign) await this.keeping.drop(one);
    await this.read();
  }

  async drop(one: Unsent): Promise<void> {
    await this.keeping.drop(one);
    await this.read();
  }

  /** Calls a judge about what had been seen, says there what was to be recorded, and gives the command up. */
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

  /** What a press of undo takes back: what is not sent, what the game names, or, where nobody says what that is, what was made here last. */
  undoable(view: View | null, heard: boolean): Unsent | Sent | undefined {
    const last = <T extends Unsent | Sent>(some: T[]): T | undefined => some.findLast((one) => !one.undone);
    const pending = last(this.pending);
    if (pending || !view || this.identity === null) return pending;
    const owed = new Set(this.sent.filter((one) => one.undone).map(({ id }) => id));
    const named = this.named(view);
    if (heard && owed.size === 0 && named !== undefined) return named ?? undefined;
    const mine = last(this.sent);
    return named && !owed.has(named.id) && named.last > (mine?.last ?? 0) ? named : mine;
  }

  /** What the game names, if it is this one's to take back; undefined: it is not known. */
  private named({ undoable, role, you, rules, recent, players }: View): Sent | null | undefined {
    if (!undoable) return undoable;
    const ruled = rules && players.includes(undoable.by) && recent.some(({ event, record }) => event === undoable.first && record.type === "judge-ruled");
    if (role === "player" && undoable.by !== you && !ruled) return null;
    const { command, first, last, sentence } = undoable;
    return { id: command, game: this.source.id, identity: this.identity ?? "", first, last, says: sentence };
  }

  /** Takes it back: what was never sent is given up; what is stored, or may be, is backed up, as soon as that can be sent. */
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

  /** All that is not sent, a line for each, to be carried elsewhere. */
  lines(some: readonly Unsent[] = this.unsent): string {
    return some.filter((one) => !one.undone).map(({ id, made, seen, turn, says, body }) => `${JSON.stringify({ command: id, made, seen, turn, says, ...body })}\n`).join("");
  }
}
