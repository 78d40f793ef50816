import { t } from "../words/speech.svelte";
import { inquire } from "./http";
import type { Listening } from "./live";
import { Refusal } from "./refusal";
import type { Source } from "./source";
import type { About, Answers, Audit, Edit, GameInfo, Impossible, MarkPage, MomentPage, Repairs, State, WantedMarks, WhatIf, Why, WhyPermanent } from "./types";

/** A what-if as a game: the server answers about the branch that the edits make, and stores nothing. */
export class TriedSource implements Source {
  readonly computes = false;
  /** The events that no longer follow, and the first of them, which ends the branch. */
  impossible: readonly Impossible[] = [];
  stopped: Impossible | null = null;

  constructor(
    private readonly of: Source,
    private readonly base: string,
    private readonly edits: Edit[],
  ) {}

  get id(): string {
    return this.of.id;
  }

  private walk<Answer>(route: string, questions: Record<string, string | number | null> = {}): Promise<Answer> {
    const given = Object.fromEntries(Object.entries(questions).filter(([, value]) => value !== null));
    return inquire(`${this.base}/what-if/${route}`, { edits: this.edits, ...given });
  }

  about(): Promise<About> {
    return this.of.about();
  }

  async game(): Promise<GameInfo> {
    const [info, there] = await Promise.all([this.of.game(), this.walk<MomentPage>("moments", { limit: 1 })]);
    this.impossible = there.impossible ?? [];
    this.stopped = there.stopped ?? null;
    return { ...info, events: there.events ?? info.events, undone: [], code: null };
  }

  state(at?: number): Promise<State> {
    return this.walk("state", { at: at ?? null });
  }

  moments(from: number, limit: number): Promise<MomentPage> {
    return this.walk("moments", { from, limit });
  }

  marks(wanted: WantedMarks): Promise<MarkPage> {
    return this.walk("marks", { limit: 500, ...wanted });
  }

  why(at: number, edition: string | null): Promise<Why> {
    return this.walk("why", { at, edition });
  }

  whyPermanent(at: number, permanent: string, edition: string | null): Promise<WhyPermanent> {
    return this.walk("why", { at, permanent, edition });
  }

  audit(): Promise<Audit> {
    return this.walk("audit");
  }

  async ask<Route extends keyof Answers>(): Promise<Answers[Route]> {
    throw this.off();
  }

  async mends(): Promise<Repairs> {
    throw this.off();
  }

  async whatIf(): Promise<WhatIf> {
    throw this.off();
  }

  async act(): Promise<never> {
    throw this.off();
  }

  tried(): null {
    return null;
  }

  listen(): Listening | null {
    return null;
  }

  file(): string | null {
    return null;
  }

  other(id: string): Source {
    return this.of.other(id);
  }

  private off(): Refusal {
    return new Refusal(0, "tried", t("This is asked of the record, not of a what-if."));
  }
}
