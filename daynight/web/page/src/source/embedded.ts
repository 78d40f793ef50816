import { applied } from "../model/deltas";
import { speech, t } from "../words/speech.svelte";
import type { Listening } from "./live";
import { Refusal } from "./refusal";
import type { Source } from "./source";
import type { About, Answers, Audit, Change, Edit, Forecast, FoundEvents, GameInfo, Impossible, Mark, MarkPage, Moment, MomentPage, Repairs, State, Trigger, WhatIf, Why, WhyPermanent } from "./types";

/** What an exported file holds: where languages differ, `{"~": [...]}` with what stands there in each. */
interface Exported {
  languages: string[];
  about: About;
  game: GameInfo;
  moments: Moment[];
  marks: Mark[];
  audit: Audit;
  /** What would make each claim right that contradicts the rules, by its event. */
  mends?: Record<number, Repairs>;
  disputes: Answers["disputes"] | null;
  changes: Change[];
  triggers: Trigger[];
  why: number[];
  whys: Omit<Why, "event">[];
  forecast: number[];
  forecasts: Omit<Forecast, "event">[];
  /** What the mends lead to; what an earlier version of daynight exported has none. */
  tried?: Branched[];
}

/** A branch that edits make, from its first event that is not the record's. */
interface Branched extends Pick<Exported, "moments" | "marks" | "audit" | "changes" | "triggers" | "why" | "whys"> {
  edits: Edit[];
  from: number;
  impossible: Impossible[];
  stopped: Impossible | null;
  what_if: WhatIf;
}

/** JSON with its names in order, so that two texts are the same where the values are. */
function ordered(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}

/** An exported game as it is on a branch: the record's own moments, and then the branch's. */
function branched(exported: Exported, branch: Branched): Exported {
  const before = branch.from - 1;
  const moments = [...exported.moments.slice(0, before).map((one) => ({ ...one, of: one.event })), ...branch.moments];
  const { marks, audit, changes, triggers } = branch;
  return {
    ...exported, moments, marks, audit, changes, triggers, disputes: null, mends: {}, tried: [], forecast: [], forecasts: [],
    game: { ...exported.game, events: moments.length, undone: [], code: null },
    why: [...exported.why.slice(0, before), ...branch.why.map((place) => place + exported.whys.length)],
    whys: [...exported.whys, ...branch.whys],
  };
}

const MARK = "~";

/** A merged document as it stands in one language. */
export function spoken(value: unknown, language: number): unknown {
  if (Array.isArray(value)) return value.map((one) => spoken(one, language));
  if (typeof value !== "object" || value === null) return value;
  const told = (value as Record<string, unknown>)[MARK];
  if (told !== undefined) return (told as unknown[])[language];
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoken(one, language)]));
}

/** The element that an exported file keeps its game in; null in the served page. */
export function kept(): HTMLElement | null {
  return document.getElementById("exported");
}

async function unpacked(text: string): Promise<Exported> {
  const packed = Uint8Array.from(atob(text.trim()), (one) => one.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return (await new Response(stream).json()) as Exported;
}

/** The game of an exported file: all of it is there, and nothing is asked for. */
export class EmbeddedSource implements Source {
  readonly computes = false;
  readonly id = "";
  private states: State[] = [];
  private moment: Moment[] = [];
  private told = -1;

  private constructor(
    private readonly exported: Exported,
    readonly impossible: readonly Impossible[] = [],
    readonly stopped: Impossible | null = null,
  ) {}

  static async read(element: HTMLElement): Promise<EmbeddedSource> {
    if (!("DecompressionStream" in window)) throw new Error(t("This browser is too old to open the game in this file."));
    return new EmbeddedSource(await unpacked(element.textContent ?? ""));
  }

  private get language(): number {
    return Math.max(0, this.exported.languages.indexOf(speech.language));
  }

  private in<T>(value: T): T {
    return spoken(value, this.language) as T;
  }

  /** The moments in the language of the page, and the states after them. */
  private tell(): void {
    if (this.told === this.language) return;
    this.moment = this.in(this.exported.moments);
    this.states = [];
    let state: State | null = null;
    for (const one of this.moment) {
      state = applied(state, one);
      this.states.push(state);
    }
    this.told = this.language;
  }

  async about(): Promise<About> {
    return this.exported.about;
  }

  async game(): Promise<GameInfo> {
    return this.in(this.exported.game);
  }

  async state(at?: number): Promise<State> {
    this.tell();
    const event = at ?? this.states.length;
    const state = this.states[event - 1];
    if (!state) throw this.missing();
    const until = (one: { event: number }): boolean => one.event <= event;
    return { ...state, changes: this.exported.changes.filter(until), triggers: this.exported.triggers.filter(until) };
  }

  async moments(from: number, limit: number): Promise<MomentPage> {
    this.tell();
    const moments = this.moment.slice(from - 1, from - 1 + limit);
    const before = from > 1 ? (this.states[from - 2] ?? null) : null;
    return { game: this.exported.game.game, from, to: from + moments.length - 1, before, moments };
  }

  async marks(): Promise<MarkPage> {
    return { marks: this.in(this.exported.marks), next: null };
  }

  async why(at: number): Promise<Why> {
    return { ...this.one(this.exported.whys, this.exported.why, at), event: at };
  }

  /** Of a permanent: the last moment in which it came or its face changed, and the consequence that says so. */
  async whyPermanent(at: number, permanent: string): Promise<WhyPermanent> {
    this.tell();
    const shown = (event: number) => this.states[event - 1]?.battlefield?.find((one) => one.permanent === permanent);
    const now = shown(at);
    if (!now) throw this.missing();
    let since = at;
    while (since > 1 && shown(since - 1)?.face === now.face && shown(since - 1)?.face_down === now.face_down) since -= 1;
    const moment = this.moment[since - 1];
    const cause = moment?.consequences.find((one) => Array.isArray(one.permanents) && one.permanents.includes(permanent));
    const { rule = null, cr = null, because = [since] } = cause ?? {};
    const { card, face, face_down } = now;
    const almost_edit = null;
    const sentence = `e${since}${t(": {what}", { what: moment?.sentence ?? "" })}`;
    return { event: at, permanent, card, face, face_down, since, rule, cr, because, sources: [], almost: null, almost_edit, sentence, short: sentence };
  }

  async audit(): Promise<Audit> {
    return this.in(this.exported.audit);
  }

  async ask<Route extends keyof Answers>(route: Route, questions: Record<string, string | number> = {}): Promise<Answers[Route]> {
    const held: Partial<{ [Each in keyof Answers]: () => Answers[Each] }> = {
      forecast: () => {
        const at = Number(questions.at ?? this.exported.moments.length);
        return { ...this.one(this.exported.forecasts, this.exported.forecast, at), event: at };
      },
      search: () => this.search(String(questions.q ?? "")),
      blame: () => this.blame(Number(questions.at ?? this.exported.moments.length)),
    };
    const { disputes } = this.exported;
    if (disputes !== null) held.disputes = () => this.in(disputes);
    const found = held[route];
    if (!found) throw this.off();
    return found();
  }

  /** Where each part of a state comes from: the state of another mechanic contains it. */
  private blame(at: number): Answers["blame"] {
    const parts = this.states[at - 1]?.parts;
    if (!parts) throw this.off();
    const rows = Object.entries(parts).flatMap(([part, subjects]) =>
      Object.entries(subjects).map(([subject, one]) => ({
        part,
        subject: subject || null,
        value: one.values.length === 1 ? one.values[0] : one.values,
        since: one.event,
        rule: one.rule,
        because: one.because,
      })),
    );
    return { event: at, parts: rows } as Answers["blame"];
  }

  private one<Document>(documents: readonly Document[], places: readonly number[], at: number): Document {
    const place = places[at - 1];
    const found = place === undefined ? undefined : documents[place];
    if (found === undefined) throw this.missing();
    // One that was told in every language stands there as a whole.
    return this.in(found);
  }

  private search(q: string): FoundEvents {
    this.tell();
    const words = q.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const has = (moment: Moment): boolean => {
      const text = `${moment.sentence}\n${JSON.stringify(moment.record)}`.toLowerCase();
      return words.length > 0 && words.every((word) => text.includes(word));
    };
    const events = this.moment
      .filter(has)
      .map((one) => ({ event: one.event, turn: this.states[one.event - 1]?.turn ?? null, sentence: one.sentence }));
    return { events, next: null, total: events.length };
  }

  async mends(event: number): Promise<Repairs> {
    const found = this.exported.mends?.[event];
    if (!found) throw this.off();
    return this.in(found);
  }

  async whatIf(edits: Edit[]): Promise<WhatIf> {
    const found = this.branch(edits);
    if (!found) throw this.off();
    return this.in(found.what_if);
  }

  private branch(edits: Edit[]): Branched | undefined {
    return this.exported.tried?.find((one) => ordered(one.edits) === ordered(edits));
  }

  async act(): Promise<never> {
    throw this.off();
  }

  listen(): Listening | null {
    return null;
  }

  file(): string | null {
    return null;
  }

  tried(edits: Edit[]): Source | null {
    const found = this.branch(edits);
    return found ? new EmbeddedSource(branched(this.exported, found), this.in(found.impossible), this.in(found.stopped)) : null;
  }

  other(): Source {
    return this;
  }

  private missing(): Refusal {
    return new Refusal(404, "no-such-route", t("This file does not hold that."));
  }

  private off(): Refusal {
    const why = t("This file replays what was recorded. To try what is not in the record, open the game with daynight serve.");
    return new Refusal(0, "exported", why);
  }
}
