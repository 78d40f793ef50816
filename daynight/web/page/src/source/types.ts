import type { components } from "./openapi";

// The documents of the server. Their shapes are made of its description; here they have the page's names, and those of
// day and night and of any other mechanic are one, as the page shows both.

type Shapes = components["schemas"];

/** What is in one of two documents: what is in both of them, and perhaps what only one of them has. */
type Either<One, Other> = Pick<One & Other, keyof One & keyof Other> & Partial<One> & Partial<Other>;

/** What acts send: a command, an undo, a note, a call for a judge, and what is added to a dispute. */
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

/** What followed from an event, of whatever type. */
export interface Consequence {
  type: string;
  rule?: string | null;
  cr?: string | null;
  because?: number[];
  certain?: boolean;
  [more: string]: unknown;
}

/** A line of the record, as it is stored. */
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
  /** Of a what-if alone: how many events it has, and what became impossible. */
  events?: number;
  parted?: number;
  impossible?: Impossible[];
  stopped?: Impossible | null;
}

/** A game; a stretch that was undone has a first event and a last one. */
export interface GameInfo extends Omit<Shapes["Game"], "undone"> {
  undone: [number, number][];
}
export type GameRow = Shapes["GameRow"];
export type GamesPage = Shapes["Games"];
export type Mark = Shapes["Mark"];
export type MarkKind = Mark["kind"];
export type MarkPage = Shapes["Marks"];
export type About = Either<Shapes["About"], { languages: string[] }>;

export type Why = Either<Shapes["Why"], { event: number; parts: Shapes["PartValue"][] }>;
export type WhyPermanent = Shapes["WhyPermanent"];
/** A claim or ruling that differs from what is derived, or that the record leaves open. */
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

/** What differs: at places of two records, or part by part. */
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
  /** What was stored; null where that is too much for an answer. */
  moments: Moment[] | null;
}
export type DisputeActed = Shapes["DisputeActed"];
export type Problem = Shapes["Problem"];

/** What is answered to what is asked, by the name of the route. */
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
