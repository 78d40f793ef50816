import type { Listening } from "../source/live";
import { sentenceOf } from "../source/refusal";
import type { Source } from "../source/source";
import type { About, Change, Edit, GameInfo, Impossible, Moment, State, Trigger } from "../source/types";
import { astray } from "../travel/astray";
import { Connection } from "./connection.svelte";
import { Findings } from "./findings.svelte";
import { Held, PAGE } from "./held";
import { Marks } from "./marks.svelte";
import { Player } from "../travel/player.svelte";
import { read, spelled } from "../travel/place";
import { placeOf, recordedAt } from "../travel/trying";
import { Whys } from "./whys.svelte";

/** How long one must stay at an event before it is written into the address and asked about. */
const REST = 140;
const NEAR = 100;
/** An event to open a game at: null is its end; a function is given the number of the last event. */
type Where = number | null | ((last: number) => Promise<number>);

/** A game that is being explored: the current event, the loaded moments, and the answers. */
export class Debugger {
  source = $state.raw() as Source;
  about = $state.raw<About | null>(null);
  info = $state.raw<GameInfo | null>(null);
  /** The number of the last event. */
  last = $state(0);
  /** The current event. */
  at = $state(0);
  branch = $state<string | null>(null);
  /** The edits of the current what-if; null: the record itself. */
  tried = $state.raw<Edit[] | null>(null);
  /** What became impossible in the what-if, and where it ends early. */
  impossible = $state.raw<readonly Impossible[]>([]);
  stopped = $state.raw<Impossible | null>(null);
  /** The changes of the record, shown beneath the what-if. */
  beneath = $state.raw<Change[]>([]);
  /** Counts what is taken into `held`, which is too large to be reactive itself. */
  version = $state(0);
  /** The event where one has stopped, for what need not be announced at every step. */
  rested = $state(0);
  refused = $state<string | null>(null);
  /** Which part of the address was not found, in words. */
  astray = $state<string | null>(null);
  private claimed = false;
  loading = $state(false);
  changes = $state.raw<Change[]>([]);
  triggers = $state.raw<Trigger[]>([]);
  readonly connection = new Connection();
  readonly held = new Held();
  readonly marks = new Marks();
  readonly found = new Findings();
  readonly whys = new Whys();
  readonly player = new Player();

  /** The record that a what-if starts from: the game, or a kept branch of it. */
  under = $state.raw() as Source;
  private reading = 0;
  private opened: Promise<void> = Promise.resolve();
  private following = true;
  /** The digest at the last event. */
  private head = "";
  private live: Listening | null = null;
  private timers: { rest?: ReturnType<typeof setTimeout>; grown?: ReturnType<typeof setTimeout> } = {};

  constructor(readonly base: Source) {
    this.source = base;
    this.under = base;
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
    return this.at > 0 && this.at < this.last;
  }

  /** The program that the record is from; null where it is ours. */
  get adopted(): string | null {
    return this.about?.source ?? null;
  }

  get role(): string | null {
    return this.about?.you?.role ?? null;
  }

  /** Whether one may add to the record here. */
  get writes(): boolean {
    return this.tried === null && this.info?.kind === "stored" && this.role !== null && this.role !== "spectator";
  }

  /** Reads the game, and goes to the event in the address. */
  async start(): Promise<void> {
    addEventListener("popstate", this.arrive);
    const place = read(location.hash);
    try {
      this.about = await this.base.about();
      await this.open(place.branch, place.event, place.tried);
      this.astray = astray(place, this);
    } catch (thrown) {
      this.refused = sentenceOf(thrown);
    }
  }

  end(): void {
    removeEventListener("popstate", this.arrive);
    this.live?.end();
    this.connection.forget();
    this.player.pause();
    clearTimeout(this.timers.rest);
    clearTimeout(this.timers.grown);
  }

  /** Opens the recorded game, or a kept branch of it, at an event: null is the end, a function finds it in what is opened. */
  private open(branch: string | null, event: Where, tried: Edit[] | null = null): Promise<void> {
    return (this.opened = this.reach(branch, event, tried));
  }

  private async reach(branch: string | null, where: Where, edits: Edit[] | null): Promise<void> {
    this.live?.end();
    this.live = null;
    this.connection.forget();
    let info = await this.base.game();
    this.source = this.base;
    const kept = branch === null ? undefined : info.branches.find((one) => one.name === branch || one.id === branch);
    if (kept) {
      this.source = this.base.other(kept.id);
      info = { ...(await this.source.game()), branches: info.branches };
    }
    const whole = this.source;
    this.under = whole;
    const tried = edits === null ? null : whole.tried(edits);
    if (tried) {
      this.source = tried;
      info = { ...(await tried.game()), branches: info.branches };
    }
    const event = typeof where === "function" ? await where(info.events) : where;
    const { impossible = [], stopped = null } = tried ?? {};
    this.impossible = impossible;
    this.stopped = stopped;
    this.beneath = [];
    if (tried) void whole.state().then((state) => (this.beneath = state.changes ?? []), () => undefined);
    this.tried = tried ? edits : null;
    this.branch = kept ? kept.name : null;
    this.held.clear();
    this.whys.clear();
    this.info = info;
    this.last = info.events;
    this.head = info.head;
    this.changes = [];
    this.triggers = [];
    this.following = event === null || event >= this.last;
    await this.load(Math.min(event ?? this.last, this.last));
    this.at = Math.min(event ?? this.last, this.last);
    this.rest();
    this.found.clear();
    this.marks.load(this.source);
    void this.readChanges();
    void this.found.judge(this.source, this.held);
    if (info.kind !== "file" && !tried) this.listen();
  }

  private async readChanges(): Promise<void> {
    try {
      const { changes, triggers } = await this.source.state();
      this.changes = changes ?? [];
      this.triggers = triggers ?? [];
    } catch {
    }
  }

  /** Loads the moments around an event, in one request. */
  private async load(event: number): Promise<void> {
    const mine = ++this.reading;
    const from = Math.max(1, Math.min(event - PAGE / 2 + 1, this.last - PAGE + 1));
    this.loading = true;
    try {
      const page = await this.source.moments(from, PAGE);
      if (mine !== this.reading) return;
      this.held.put(page);
      if (!this.held.has(event) && page.moments.length > 0) {
        // The page of moments ended early, as pages with large moments do.
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

  /** Loads the moments beside the window, if the current event is near its edge or the whole game fits. */
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
      // It is requested again once one gets there.
    }
  }

  /** Goes to an event step by step: the history keeps one entry. */
  seek = (event: number): void => {
    this.go(event);
  };

  /** Jumps to an event: the browser's Back leads to where one was. */
  jump = (event: number): void => {
    this.write();
    if (this.go(event)) this.write(true);
  };

  private go(event: number): boolean {
    const to = Math.max(1, Math.min(Math.round(event), this.last));
    if (to === this.at || this.last === 0) return false;
    this.astray = null;
    this.at = to;
    this.following = to === this.last;
    if (!this.held.has(to)) void this.load(to);
    this.rest();
    return true;
  }

  /** Opens a kept branch at the same event, or the recorded game. */
  async turnTo(branch: string | null, event: number | null = this.at, tried: Edit[] | null = null): Promise<void> {
    this.write();
    try {
      await this.open(branch, event, tried);
      this.write(true);
    } catch (thrown) {
      this.refused = sentenceOf(thrown);
    }
  }

  /** The current event of the record; in a what-if the last one before the inserted events. */
  get recorded(): number {
    return this.tried === null ? this.at : recordedAt(this.held, this.at);
  }

  /** Enters the what-if of these edits, at the current event of the record, or at the point where it parts. */
  async attempt(edits: Edit[], of: number = this.recorded): Promise<void> {
    this.write();
    await this.open(this.branch, (last) => placeOf(this.source, of, last), edits);
    this.write(true);
  }

  /** Leaves the what-if for the record, at the same event. */
  leave(): Promise<void> {
    return this.turnTo(this.branch, this.recorded);
  }

  /** The branches to choose from, the recorded game first. */
  get ways(): (string | null)[] {
    return [null, ...(this.info?.branches ?? []).map((one) => one.name)];
  }

  private arrive = async (): Promise<void> => {
    const place = read(location.hash);
    await this.opened.catch(() => undefined);
    if (place.branch === this.branch && JSON.stringify(place.tried) === JSON.stringify(this.tried)) {
      this.go(place.event ?? this.last);
      this.astray = astray(place, this);
      return;
    }
    try {
      await this.open(place.branch, place.event, place.tried);
      this.astray = astray(place, this);
    } catch (thrown) {
      this.refused = sentenceOf(thrown);
    }
  };

  /** Writes the place into the address: replaces the entry of the history, or adds one. */
  private write(push = false): void {
    const event = this.following ? null : this.at;
    const to = location.pathname + location.search + spelled({ event, branch: this.branch, tried: this.tried });
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
    this.whys.cite(edition === this.info?.edition ? null : edition);
    void this.ask();
  }

  private async ask(): Promise<void> {
    const { at, source } = this;
    // In another mechanic no part is the main one: every part is shown.
    const plain = this.held.state(at)?.parts !== undefined;
    await this.whys.ask(source, at, plain, () => source === this.source && at === this.at);
  }

  /** Reads everything again: the language has changed, or the game was cut short. */
  async again(): Promise<void> {
    const event = this.following ? null : this.at;
    try {
      await this.open(this.branch, event, this.tried);
    } catch (thrown) {
      this.refused = sentenceOf(thrown);
      if (this.live === null && this.info !== null && this.info.kind !== "file" && this.tried === null) this.listen();
    }
  }

  private listen(): void {
    const identity = this.info?.identity;
    this.live = this.source.listen(() => ({ after: this.last, identity, head: this.head }), {
      moment: (moment) => this.grow(moment),
      reset: () => void this.again(),
      connected: (yes) => this.connection.hear(yes),
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
    if (moment.claim || moment.state) this.claimed = true;
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

  /** Refreshes the game's description once it has not grown for a moment. */
  private soon(): void {
    clearTimeout(this.timers.grown);
    this.timers.grown = setTimeout(() => void this.refresh().catch(() => undefined), 600);
  }

  /** Changes the game's description after a back-up or a new branch. */
  async refresh(): Promise<void> {
    const mine = this.source;
    const info = await mine.game();
    if (mine !== this.source) return;
    const branches = mine === this.base ? info.branches : (await this.base.game()).branches;
    this.info = { ...info, events: Math.max(info.events, this.last), branches };
    void this.readChanges();
    if (this.claimed) {
      this.claimed = false;
      void this.found.judge(this.source, this.held);
    }
  }

  /** Whether an event belongs to a stretch that was backed up; notes and disputes about the game stay. */
  undone(event: number): boolean {
    const type = this.held.moment(event)?.record.type ?? "";
    if (type.startsWith("dispute-") || type === "note-added") return false;
    return (this.info?.undone ?? []).some(([first, last]) => event >= first && event <= last);
  }
}
