import { commandId, segment } from "../source/http";
import { Refusal, sentenceOf } from "../source/refusal";
import type { Source } from "../source/source";
import type { Acknowledged, Moment } from "../source/types";
import { t } from "../words/speech.svelte";
import type { Keeping, Sent, Unsent } from "./keeping";

export interface Made {
  body: Record<string, unknown>;
  says: string;
  seen: number;
  turn: number | null;
  passes: boolean;
}

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
  private last = 0;
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
    private readonly heard: (answer: Acknowledged) => void,
    private readonly lost: () => void,
  ) {}

  /** `heard` is told what was stored, and `lost` that nobody answers. */
  static async open(keeping: Keeping, source: Source, heard: (answer: Acknowledged) => void, lost: () => void): Promise<Queue> {
    const queue = new Queue(keeping, source, heard, lost);
    await queue.read();
    return queue;
  }

  private async read(): Promise<void> {
    this.unsent = await this.keeping.unsent(this.source.id);
    this.sent = await this.keeping.sent(this.source.id);
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
    this.kept = this.already = null;
    this.adding += 1;
    try {
      await this.keeping.keep({ ...made, seen: Math.max(made.seen, this.last), id: commandId(), game: this.source.id, made: new Date().toISOString() });
      await this.read();
    } finally {
      this.adding -= 1;
    }
    this.soon(0);
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
        const [head] = this.pending;
        // The last one first: the server takes back only what nothing came after.
        const owed = head?.undone ? undefined : this.sent.findLast((one) => one.undone);
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
      const answer = await this.source.act("commands", { ...one.body, seen: one.seen, command: one.id });
      this.last = Math.max(this.last, answer.last);
      await this.keeping.acknowledge(one, answer.first, answer.last);
      this.reached = true;
      this.ended = null;
      this.code = answer.code;
      this.wait = 500;
      this.failures = 0;
      this.heard(answer);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      if (this.undecided(thrown)) return false;
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
    try {
      // The same id each time: it is taken back once, though an answer is lost.
      const answer = await this.source.act("undo", { undoes: one.id, command: `${one.id}/undo` });
      this.last = Math.max(this.last, answer.last);
      await this.keeping.forget(one, answer.last);
      this.code = answer.code;
      this.heard(answer);
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      if (this.undecided(thrown)) return false;
      this.kept = t("{what} was recorded, and could not be taken back: {why}", { what: one.says, why: sentenceOf(thrown) });
      await this.keeping.forget(one, 0);
    }
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

  async drop(one: Unsent): Promise<void> {
    await this.keeping.drop(one);
    await this.read();
  }

  /** Calls a judge about what had been seen, says there what was to be recorded, and gives the command up. */
  async judge(one: Unsent): Promise<void> {
    const about = Math.max(1, one.seen);
    const opened = await this.source.act("disputes", { command: `${one.id}/judge`, about });
    if (opened.dispute !== undefined) {
      const route = `disputes/${segment(opened.dispute)}/claims` as const;
      const says = t("Not recorded: {what} (turn {turn}).", { what: one.says, turn: one.turn ?? "?" });
      await this.source.act(route, { command: `${one.id}/says`, says });
    }
    await this.drop(one);
  }

  /** What was made here last and is not taken back yet. */
  get undoable(): Unsent | Sent | undefined {
    const last = <T extends Unsent | Sent>(some: T[]): T | undefined => some.findLast((one) => !one.undone);
    return last(this.pending) ?? last(this.sent);
  }

  /** Takes it back: what was never sent is given up; what is stored, or may be, is backed up, as soon as that can be sent. */
  async undo(): Promise<void> {
    const one = this.undoable;
    if (!one) return;
    this.kept = null;
    const owed = await this.keeping.withdraw(one, this.sending === one.id);
    if (!owed && "n" in one) await this.keeping.drop(one);
    await this.read();
    this.soon(0);
  }

  /** All that is not sent, a line for each, to be carried elsewhere. */
  lines(): string {
    return this.unsent.filter((one) => !one.undone).map(({ id, made, seen, turn, says, body }) => `${JSON.stringify({ command: id, made, seen, turn, says, ...body })}\n`).join("");
  }
}
