import type { Listening } from "../source/live";
import { Refusal, sentenceOf } from "../source/refusal";
import type { Source } from "../source/source";
import type { About, Change, GameInfo, Moment, State, Trigger, Why } from "../source/types";
import { Held, PAGE } from "./held";
import { Marks } from "./marks.svelte";
import { read, spelled } from "./place";

/** How long a place is rested at before it is written into the address and asked about. */
const REST = 140;
const NEAR = 100;
const WHYS = 200;

/** A game that one travels in: where one is, what is held of it, and what was asked about it. */
export class Debugger {
  source: Source;
  about = $state.raw<About | null>(null);
  info = $state.raw<GameInfo | null>(null);
  /** The number of the last event there is. */
  last = $state(0);
  /** The event one looks at. */
  at = $state(0);
  branch = $state<string | null>(null);
  /** Counts what is taken into `held`, which is too large to be watched itself. */
  version = $state(0);
  why = $state.raw<Why | null>(null);
  whyRefused = $state<string | null>(null);
  /** The event one has come to rest at, for what need not be said at every step. */
  rested = $state(0);
  refused = $state<string | null>(null);
  loading = $state(false);
  listening = $state(false);
  playing = $state(false);
  changes = $state.raw<Change[]>([]);
  triggers = $state.raw<Trigger[]>([]);
  /** The edition of the rules that reasons are cited by, where it is not the game's own. */
  edition = $state<string | null>(null);
  readonly held = new Held();
  readonly marks = new Marks();

  private reading = 0;
  private opened: Promise<void> = Promise.resolve();
  private following = true;
  private whys = new Map<number, Why>();
  /** The digest at the last event. */
  private head = "";
  private live: Listening | null = null;
  private timers: { rest?: ReturnType<typeof setTimeout>; grown?: ReturnType<typeof setTimeout>; play?: ReturnType<typeof setInterval> } = {};

  constructor(readonly base: Source) {
    this.source = base;
  }

  get state(): State | undefined {
    void this.version;
    return this.held.state(this.at);
  }

  get moment(): Moment | undefined {
    void this.version;
    return this.held.moment(this.at);
  }

  get past(): boolean {
    return this.last > 0 && this.at < this.last;
  }

  get role(): string | null {
    return this.about?.you?.role ?? null;
  }

  /** Whether one may add to the record here. */
  get writes(): boolean {
    return this.info?.kind === "stored" && this.role !== null && this.role !== "spectator";
  }

  /** Reads the game, and goes where the address says. */
  async start(): Promise<void> {
    addEventListener("popstate", this.arrive);
    const place = read(location.hash);
    try {
      this.about = await this.base.about();
      await this.open(place.branch, place.event);
    } catch (thrown) {
      this.refused = sentenceOf(thrown);
    }
  }

  end(): void {
    removeEventListener("popstate", this.arrive);
    this.live?.end();
    this.pause();
    clearTimeout(this.timers.rest);
    clearTimeout(this.timers.grown);
  }

  /** Opens the recorded game, or a kept branch of it, at an event; null is the end. */
  private open(branch: string | null, event: number | null): Promise<void> {
    return (this.opened = this.reach(branch, event));
  }

  private async reach(branch: string | null, event: number | null): Promise<void> {
    this.live?.end();
    this.live = null;
    let info = await this.base.game();
    this.source = this.base;
    const kept = branch === null ? undefined : info.branches.find((one) => one.name === branch || one.id === branch);
    if (kept) {
      this.source = this.base.other(kept.id);
      info = { ...(await this.source.game()), branches: info.branches };
    }
    this.branch = kept ? kept.name : null;
    this.held.clear();
    this.whys.clear();
    this.why = null;
    this.info = info;
    this.last = info.events;
    this.head = info.head;
    this.changes = [];
    this.triggers = [];
    this.following = event === null || event >= this.last;
    await this.load(Math.min(event ?? this.last, this.last));
    this.at = Math.min(event ?? this.last, this.last);
    this.rest();
    void this.marks.load(this.source).catch(() => undefined);
    void this.readChanges();
    if (info.kind === "stored") this.listen();
  }

  private async readChanges(): Promise<void> {
    try {
      const { changes, triggers } = await this.source.state();
      this.changes = changes ?? [];
      this.triggers = triggers ?? [];
    } catch {
      // Then it is shown what is held.
    }
  }

  /** Takes in the moments around an event, in one request. */
  private async load(event: number): Promise<void> {
    const mine = ++this.reading;
    const from = Math.max(1, Math.min(event - PAGE / 2 + 1, this.last - PAGE + 1));
    this.loading = true;
    try {
      const page = await this.source.moments(from, PAGE);
      if (mine !== this.reading) return;
      this.held.put(page);
      if (!this.held.has(event) && page.moments.length > 0) {
        // The page ended early, as pages of large moments do.
        this.held.put(await this.source.moments(event, PAGE));
      }
      this.version += 1;
      this.refused = null;
    } catch (thrown) {
      if (mine === this.reading) this.refused = sentenceOf(thrown);
    } finally {
      if (mine === this.reading) this.loading = false;
    }
  }

  /** Takes in what lies beside the window, where one is near its edge or all of the game fits. */
  private async widen(): Promise<void> {
    const mine = this.reading;
    const { held } = this;
    const small = this.last <= 5_000;
    let from = 0;
    if (held.end < this.last && (small || this.at > held.end - NEAR)) from = held.end + 1;
    else if (held.first > 1 && (small || this.at < held.first + NEAR)) from = Math.max(1, held.first - PAGE);
    if (from === 0 || this.loading) return;
    const limit = from < held.first ? held.first - from : PAGE;
    try {
      const page = await this.source.moments(from, limit);
      if (mine !== this.reading || page.moments.length === 0) return;
      held.put(page);
      if (!held.has(this.at)) return;
      this.version += 1;
      void this.widen();
    } catch {
      // One comes there and asks again.
    }
  }

  /** Goes to an event, step by step: the address is the same entry of the history. */
  seek = (event: number): void => {
    this.go(event);
  };

  /** Jumps to an event: the way back leads to where one was. */
  jump = (event: number): void => {
    this.write();
    if (this.go(event)) this.write(true);
  };

  private go(event: number): boolean {
    const to = Math.max(1, Math.min(Math.round(event), this.last));
    if (to === this.at || this.last === 0) return false;
    this.at = to;
    this.following = to === this.last;
    if (!this.held.has(to)) void this.load(to);
    this.rest();
    return true;
  }

  /** Opens a kept branch at the same event, or the recorded game. */
  async turnTo(branch: string | null, event: number | null = this.at): Promise<void> {
    this.write();
    try {
      await this.open(branch, event);
      this.write(true);
    } catch (thrown) {
      this.refused = sentenceOf(thrown);
    }
  }

  /** The branches that one can turn to, the recorded game first. */
  get ways(): (string | null)[] {
    return [null, ...(this.info?.branches ?? []).map((one) => one.name)];
  }

  private arrive = async (): Promise<void> => {
    const place = read(location.hash);
    // What is being opened comes to its own place first.
    await this.opened.catch(() => undefined);
    if (place.branch === this.branch) {
      this.go(place.event ?? this.last);
      return;
    }
    try {
      await this.open(place.branch, place.event);
    } catch (thrown) {
      this.refused = sentenceOf(thrown);
    }
  };

  /** Writes the place into the address: over the entry of the history, or as a new one. */
  private write(push = false): void {
    const event = this.following ? null : this.at;
    const to = location.pathname + location.search + spelled({ event, branch: this.branch });
    if (push) history.pushState(null, "", to);
    else if (to !== location.pathname + location.search + location.hash) history.replaceState(null, "", to);
  }

  private rest(): void {
    clearTimeout(this.timers.rest);
    this.timers.rest = setTimeout(() => {
      this.rested = this.at;
      this.write();
      void this.ask();
      void this.widen();
    }, REST);
  }

  get editions(): readonly string[] {
    return this.about?.editions ?? [];
  }

  /** Cites the reasons by another edition of the rules. */
  cite(edition: string): void {
    this.edition = edition === this.info?.edition ? null : edition;
    this.whys.clear();
    void this.ask();
  }

  private async ask(): Promise<void> {
    const { at, source } = this;
    const known = this.whys.get(at);
    if (known) {
      this.why = known;
      this.whyRefused = null;
      return;
    }
    try {
      // Of another mechanic's parts there is no first one to ask about: each of them is told.
      const plain = this.held.state(at)?.parts !== undefined;
      const why = plain ? await source.ask("blame", { at }) : await source.why(at, this.edition);
      if (source !== this.source) return;
      if (this.whys.size >= WHYS) this.whys.delete(this.whys.keys().next().value ?? 0);
      this.whys.set(at, why);
      if (at === this.at) {
        this.why = why;
        this.whyRefused = null;
      }
    } catch (thrown) {
      if (at === this.at) {
        this.why = null;
        this.whyRefused = thrown instanceof Refusal && thrown.code === "no-such-route" ? null : sentenceOf(thrown);
      }
    }
  }

  /** Reads everything anew: another language is spoken, or the game was cut off. */
  async again(): Promise<void> {
    const event = this.following ? null : this.at;
    try {
      await this.open(this.branch, event);
    } catch (thrown) {
      this.refused = sentenceOf(thrown);
    }
  }

  private listen(): void {
    const identity = this.info?.identity;
    this.live = this.source.listen(() => ({ after: this.last, identity, head: this.head }), {
      moment: (moment) => this.grow(moment),
      reset: () => void this.again(),
      connected: (yes) => {
        this.listening = yes;
      },
    });
  }

  private grow(moment: Moment): void {
    if (moment.event <= this.last) return;
    if (moment.event > this.last + 1 || (moment.before !== undefined && moment.before !== this.head)) {
      void this.again();
      return;
    }
    this.head = moment.head ?? "";
    const whole = this.held.end === this.last;
    this.last = moment.event;
    if (whole) this.held.append(moment);
    if (this.info) this.info = { ...this.info, events: moment.event };
    const turn = this.held.state(moment.event)?.turn ?? null;
    this.marks.append(moment, turn);
    const changed = moment.consequences.filter((one) => one.type === "changed") as unknown as Change[];
    if (changed.length > 0) this.changes = [...this.changes, ...changed];
    this.version += 1;
    this.soon();
    if (this.following) {
      this.at = moment.event;
      if (!this.held.has(this.at)) void this.load(this.at);
      this.rest();
    }
  }

  /** Renews the game's own description when it has not grown for a moment. */
  private soon(): void {
    clearTimeout(this.timers.grown);
    this.timers.grown = setTimeout(() => void this.refresh().catch(() => undefined), 600);
  }

  /** What a back-up or a new branch makes of the game's own description. */
  async refresh(): Promise<void> {
    const mine = this.source;
    const info = await mine.game();
    if (mine !== this.source) return;
    const branches = mine === this.base ? info.branches : (await this.base.game()).branches;
    this.info = { ...info, events: Math.max(info.events, this.last), branches };
    void this.readChanges();
  }

  play(): void {
    if (this.playing || this.at >= this.last) return;
    this.playing = true;
    this.timers.play = setInterval(() => {
      this.go(this.at + 1);
      if (this.at >= this.last) this.pause();
    }, 700);
  }

  pause(): void {
    this.playing = false;
    clearInterval(this.timers.play);
  }

  /** Whether an event belongs to a stretch that was backed up; what was said of the game, not in it, stays. */
  undone(event: number): boolean {
    const type = this.held.moment(event)?.record.type ?? "";
    if (type.startsWith("dispute-") || type === "note-added") return false;
    return (this.info?.undone ?? []).some(([first, last]) => event >= first && event <= last);
  }
}
