import type { components } from "./openapi";

// The documents of the server. Their shapes are generated from its description; here they get the page's names, and the
// shapes of day and night and of any other mechanic become one, because the page shows both.

type Shapes = components["schemas"];

/** Merges two documents: the members that both have, and as optional ones those that only one has. */
type Either<One, Other> = Pick<One & Other, keyof One & keyof Other> & Partial<One> & Partial<Other>;

/** What the acts send: a command, an undo, a note, a call for a judge, an addition to a dispute. */
export interface Bodies {
  commands: Shapes["Commanded"];
  undo: Shapes["Undone"];
  corrections: Omit<Shapes["Corrected"], "edits"> & { edits: Edit[] };
  notes: Shapes["Noted"];
  disputes: Shapes["Opened"];
  claims: Shapes["Claimed"];
  rulings: Shapes["Ruled"];
  appeals: Shapes["Appealed"];
  close: Shapes["Closed"];
}

export type Outcome = Shapes["Ruled"]["outcome"];
export type NewLink = Shapes["NewLink"];
export type LinkRow = Shapes["LinkRow"];
export type LinksPage = Shapes["Links"];
export type Wanted = Shapes["Wanted"];
export type Designation = Shapes["Designation"];
export type Face = Shapes["Face"];
export type Count = Shapes["Tally"]["spells"][string];
export type Permanent = Shapes["PermanentState"];
export type Change = Shapes["Change"];
export type Trigger = Shapes["Trigger"];
export type Parts = Shapes["Parts"]["parts"];

export type State = Either<Shapes["State"], Shapes["Parts"]>;
export type Delta = Either<Shapes["Delta"], Shapes["PartsDelta"]>;

/** What followed from an event, of any type. */
export interface Consequence {
  type: string;
  rule?: string | null;
  cr?: string | null;
  because?: number[];
  certain?: boolean;
  [more: string]: unknown;
}

/** An event of the record, as stored. */
export interface RecordLine {
  type: string;
  [more: string]: unknown;
}

export interface Moment extends Pick<Shapes["Moment"], "event" | "head" | "before" | "sentence" | "claim" | "of"> {
  record: RecordLine;
  consequences: Consequence[];
  delta?: Delta;
  state?: State;
}

export interface MomentPage extends Omit<Shapes["Moments"], "before" | "moments"> {
  before: State | null;
  moments: Moment[];
  /** In a what-if only: how many events it has, and what became impossible. */
  events?: number;
  parted?: number;
  impossible?: Impossible[];
  stopped?: Impossible | null;
}

/** A game; an undone stretch has a first and a last event. */
export interface GameInfo extends Omit<Shapes["Game"], "undone"> {
  undone: [number, number][];
}
export type GameRow = Shapes["GameRow"];
export type GamesPage = Shapes["Games"];
export type Mark = Shapes["Mark"];
export type MarkKind = Mark["kind"];
export type MarkPage = Shapes["Marks"];

/** Which marks are wanted: by default all kinds, from the first event, as many as a page has. */
export interface WantedMarks {
  kind?: string;
  from?: number;
  after?: string | null;
  limit?: number;
}
export type About = Either<Shapes["About"], { languages: string[] }>;

export type Why = Either<Shapes["Why"], { event: number; parts: Shapes["PartValue"][] }>;
export type WhyPermanent = Shapes["WhyPermanent"];
/** A claim or ruling that differs from the derived value, or that the record leaves open. */
export type Finding = Either<Shapes["Finding"], Shapes["PartsFinding"]>;
export type Audit = Either<Shapes["Audit"], Shapes["PartsAudit"]>;
/** Where a part of a state comes from. */
export type Blamed = Either<Shapes["Blamed"], Shapes["PartValue"]>;
export type Dispute = Shapes["Dispute"];
export type Forecast = Shapes["Forecast"];
export type BackupPlan = Shapes["BackupPlan"];
export type Unknowns = Shapes["Unknowns"];
export type FoundEvents = Shapes["FoundEvents"];
export type Repairs = Shapes["Repairs"];
export type First = Either<Shapes["Bisected"], Shapes["First"]>;

/** The differences: at places of two records, or part by part. */
export type Place = Shapes["Parting"];
export type Difference = Either<Shapes["Difference"], Shapes["PartDifference"]>;
export interface Compared {
  differences?: (Place | Difference)[];
  citations?: Shapes["Citation"][];
}

export type Impossible = Shapes["LostEvent"];
export type Edit = Shapes["Edit"];
export interface WhatIf extends Pick<Shapes["WhatIf"], "parted" | "events">, Partial<Pick<Shapes["WhatIf"], "audits">> {
  differences: (Place | Difference)[];
}

export interface Acknowledged extends Omit<Shapes["Acknowledged"], "moments"> {
  /** What was stored; null if that is too large for an answer. */
  moments: Moment[] | null;
}
export type DisputeActed = Shapes["DisputeActed"];
export type Problem = Shapes["Problem"];

/** The answers to the questions, by the name of the route. */
export interface Answers {
  "backup-plan": BackupPlan;
  bisect: First;
  blame: { event: number; parts: Blamed[] };
  diff: Compared;
  disputes: Shapes["Disputes"];
  forecast: Forecast;
  repair: Repairs;
  search: FoundEvents;
  state: State;
  unknowns: Unknowns;
}
