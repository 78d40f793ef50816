import type { Heard, Listening, Place } from "./live";
import type { About, Acknowledged, Answers, Audit, Bodies, DisputeActed, Edit, GameInfo, Impossible, MarkPage, MomentPage, Repairs, State, WantedMarks, WhatIf, Why, WhyPermanent } from "./types";

/** The answers to the acts, by route. */
export type Acts<Route extends string> = Route extends `disputes${string}` ? DisputeActed : Acknowledged;

/** What an act sends, by route; a command without an id is given one. */
export type Sends<Route extends string> = Omit<Bodies[Kind<Route>], "command"> & { command?: string };

type Kind<Route extends string> = { [Act in keyof Bodies]: Route extends Act | `${string}/${Act}` ? Act : never }[keyof Bodies];

/** Where the page reads a game: from a server, or from the exported file that contains the page. */
export interface Source {
  /** The game's id as it stands in addresses. */
  readonly id: string;
  /** Whether edits can be tried and questions answered about events that are not in the record. */
  readonly computes: boolean;
  about(): Promise<About>;
  game(): Promise<GameInfo>;
  state(at?: number): Promise<State>;
  moments(from: number, limit: number): Promise<MomentPage>;
  /** A page of the marks of some kinds, separated by commas, from an event on. */
  marks(wanted: WantedMarks): Promise<MarkPage>;
  /** Why, citing an edition of the rules; null is the game's own. */
  why(at: number, edition: string | null): Promise<Why>;
  /** Why a permanent shows the face that it shows. */
  whyPermanent(at: number, permanent: string, edition: string | null): Promise<WhyPermanent>;
  audit(): Promise<Audit>;
  /** A document that a command prints, by the name of its route and its parameters. */
  ask<Route extends keyof Answers>(route: Route, questions?: Record<string, string | number>): Promise<Answers[Route]>;
  /** Which single edit would make the claim or ruling at an event right. */
  mends(event: number): Promise<Repairs>;
  whatIf(edits: Edit[], keep?: string): Promise<WhatIf>;
  /** Sends an act to a route of the game, with its own id so that it is stored only once. */
  act<Route extends string>(route: Route, body: Sends<Route>): Promise<Acts<Route>>;
  /** Listens to the game as it grows; null if that is not possible. */
  listen(place: () => Place, heard: Heard): Listening | null;
  /** The address of a file of the game; null if there is none. */
  file(name: string, questions?: Record<string, string | number>): string | null;
  /** In a branch: the events that no longer follow, and the first of them, which ends the branch. */
  readonly impossible?: readonly Impossible[];
  readonly stopped?: Impossible | null;
  /** The branch made by edits, as a source that is read like a game; null if nothing can be tried. */
  tried(edits: Edit[]): Source | null;
  /** Another game as a source: a kept branch. */
  other(id: string): Source;
}
