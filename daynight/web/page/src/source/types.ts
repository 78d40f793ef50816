// The documents of the server, as the contract of its API has them.

export type Designation = "neither" | "day" | "night";
export type Face = "front" | "back";

export type Count = number | { at_least: number; at_most: number | null };

export interface Tally {
  active: string[];
  spells: Record<string, Count>;
}

export interface Permanent {
  permanent: string;
  card: string | null;
  name: string | null;
  controller: string;
  face: Face | null;
  face_down: boolean;
  phased_in: boolean;
  keywords: string[] | null;
}

export interface Change {
  type?: string;
  event: number;
  turn: number | null;
  was: Designation;
  became: Designation;
  rule: string | null;
  cr: string | null;
  because: number[];
  certain?: boolean;
  implied?: boolean;
}

export interface Trigger {
  event: number;
  turn: number | null;
  permanent: string;
  was: Designation | null;
  became: Designation | null;
  stacked: number | null;
  certain?: boolean;
  [more: string]: unknown;
}

/** What a part of a mechanic's state is, and how it came about. */
export interface PartValue {
  values: unknown;
  event: number | null;
  rule: string | null;
  because: number[];
}

export type Parts = Record<string, Record<string, PartValue>>;

export interface State {
  event: number;
  game?: string;
  turn?: number | null;
  active?: string[] | null;
  step?: string | null;
  designation?: Designation | null;
  possible?: Designation[];
  policy?: { rule: string; designation: Designation };
  tallies?: { previous: Tally | null; current: Tally | null };
  battlefield?: Permanent[];
  changes?: Change[];
  triggers?: Trigger[];
  parts?: Parts;
  [more: string]: unknown;
}

/** What of a state is no longer what it was: each member whole, of the battlefield what changed or arrived. */
export interface Delta {
  event: number;
  left?: string[];
  battlefield?: Permanent[];
  policy?: State["policy"] | null;
  [more: string]: unknown;
}

export interface Consequence {
  type: string;
  event: number;
  rule?: string | null;
  cr?: string | null;
  because?: number[];
  sentence?: string;
  [more: string]: unknown;
}

export interface RecordLine {
  type: string;
  [more: string]: unknown;
}

export interface Claim {
  about: string;
  subject: string | null;
  claimed: unknown;
  derived: unknown;
  verdict: "agrees" | "differs" | "open";
}

export interface Moment {
  event: number;
  record: RecordLine;
  sentence: string;
  consequences: Consequence[];
  delta?: Delta;
  state?: State;
  claim?: Claim;
}

export interface MomentPage {
  game: string;
  from: number;
  to: number;
  before: State | null;
  moments: Moment[];
}

export interface BranchName {
  id: string;
  name: string;
  parted: number | null;
}

export interface GameInfo {
  id: string;
  game: string;
  players?: string[] | null;
  edition?: string | null;
  events: number;
  turns?: number | null;
  code: string | null;
  branches: BranchName[];
  undone: [number, number][];
  kind: "stored" | "file";
}

export type MarkKind = "turn" | "change" | "disagreement" | "dispute" | "note";

export interface Mark {
  event: number;
  kind: MarkKind;
  turn: number | null;
  text: string;
}

export interface GameRow {
  id: string;
  game: string;
  events: number;
  turns?: number;
  changes?: number;
  designation?: Designation | null;
  possible?: Designation[];
  verdict?: "disputed" | "exact" | "unverified" | null;
  differing?: number;
  over?: boolean;
  [more: string]: unknown;
}

export interface Edit {
  at: number;
  insert?: unknown[];
  replace?: unknown[];
  drop?: boolean;
}

export interface About {
  daynight: string;
  rules?: string;
  editions?: string[];
  languages: string[];
  limits: Record<string, number>;
  you: { role: Role; name: string | null } | null;
}

export type Role = "spectator" | "player" | "judge" | "owner";

export interface CitedSource {
  rank: number;
  kind: string;
  source: string;
  date: string | null;
  says: string;
  agrees: boolean;
}

export interface Why {
  event: number;
  designation?: Designation | null;
  since?: number | null;
  rule?: string | null;
  cr?: string | null;
  because?: number[];
  sources?: CitedSource[];
  almost?: string | null;
  almost_edit?: { edits: Edit[] } | null;
  sentence?: string;
  parts?: unknown;
  [more: string]: unknown;
}

/** Where a part of a state comes from. */
export interface Blamed {
  part: string;
  subject: string | null;
  value?: unknown;
  values?: unknown;
  event?: number | null;
  since?: number | null;
  rule: string | null;
  cr?: string | null;
  because: number[];
  sentence?: string;
}

/** What another edition of the rules calls the rule of a change. */
export interface Citation {
  event: number;
  rule: string;
  left: string | null;
  right: string | null;
}

export interface Finding {
  event: number;
  about: string;
  subject: string | null;
  claimed: unknown;
  derived: unknown;
  by: string | null;
  rule: string | null;
  cr: string | null;
  because: number[];
  sentence: string;
  undone?: boolean;
}

export interface Audit {
  game: string;
  events: number;
  verdict: "disputed" | "exact" | "unverified";
  findings: Finding[];
  unsettled: Finding[];
}

export interface Place {
  turn: number | null;
  step: string | null;
  left: number | null;
  right: number | null;
}

export interface Part {
  about?: string;
  part?: string;
  subject: string | null;
  left?: unknown;
  right?: unknown;
  sentence?: string;
}

export interface Difference extends Place {
  until?: number | null;
  last?: Place;
  differences: Part[];
}

export interface WhatIf {
  branch: string;
  game: string;
  parted: number;
  events: number;
  put_in: number[];
  left_out: number[];
  dropped: number[];
  stopped: unknown;
  differences: (Difference | Part)[];
  audits?: Record<"record" | "branch", { verdict: string; differs_at: number[] }>;
  id?: string;
  kept?: string;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  exit: number | null;
  line?: number;
  path?: string;
  last?: number;
}
