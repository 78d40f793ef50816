import type { Heard, Listening, Place } from "./live";
import type { About, Acknowledged, Answers, Audit, Bodies, DisputeActed, Edit, GameInfo, Impossible, MarkPage, MomentPage, Repairs, State, WhatIf, Why, WhyPermanent } from "./types";

/** What is answered to an act, by its route. */
export type Acts<Route extends string> = Route extends `disputes${string}` ? DisputeActed : Acknowledged;

/** What an act sends, by its route; where it has no id for its command it is given one. */
export type Sends<Route extends string> = Omit<Bodies[Kind<Route>], "command"> & { command?: string };

type Kind<Route extends string> = { [Act in keyof Bodies]: Route extends Act | `${string}/${Act}` ? Act : never }[keyof Bodies];

/** Where the page has a game from: a server, or the exported file that it stands in. */
export interface Source {
  /** The game's id as it stands in addresses. */
  readonly id: string;
  /** Whether edits can be tried and answers computed that are not part of the record. */
  readonly computes: boolean;
  about(): Promise<About>;
  game(): Promise<GameInfo>;
  state(at?: number): Promise<State>;
  moments(from: number, limit: number): Promise<MomentPage>;
  marks(after: string | null): Promise<MarkPage>;
  /** Why, cited by an edition of the rules; null is the game's own. */
  why(at: number, edition: string | null): Promise<Why>;
  /** Why a permanent shows the face that it shows. */
  whyPermanent(at: number, permanent: string, edition: string | null): Promise<WhyPermanent>;
  audit(): Promise<Audit>;
  /** A document that a command prints, by the name of its route and the questions it takes. */
  ask<Route extends keyof Answers>(route: Route, questions?: Record<string, string | number>): Promise<Answers[Route]>;
  /** What single edit would make the claim or ruling at an event right. */
  mends(event: number): Promise<Repairs>;
  whatIf(edits: Edit[], keep?: string): Promise<WhatIf>;
  /** Sends an act to a route of the game, with an id of its own so that it is stored once. */
  act<Route extends string>(route: Route, body: Sends<Route>): Promise<Acts<Route>>;
  /** Listens to the game as it grows; null where it cannot. */
  listen(place: () => Place, heard: Heard): Listening | null;
  /** The address of a file of the game, or null where there is none. */
  file(name: string, questions?: Record<string, string | number>): string | null;
  /** Of a branch: what does not follow any more, and the first of it that ends the branch. */
  readonly impossible?: readonly Impossible[];
  readonly stopped?: Impossible | null;
  /** The branch that edits make, as a source that is walked like a game; null where nothing can be tried. */
  tried(edits: Edit[]): Source | null;
  /** Another game as a source: a kept branch. */
  other(id: string): Source;
}
