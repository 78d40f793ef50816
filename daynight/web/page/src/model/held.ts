import type { Moment, MomentPage, State } from "../source/types";
import { applied } from "./deltas";

/** How many moments are held at most, and how many are requested at once. */
export const MOST = 5_000;
export const PAGE = 500;

/** A window of consecutive moments of one game, each with the state after it. */
export class Held {
  moments: Moment[] = [];
  states: State[] = [];
  /** The number of the first held moment. */
  first = 1;

  constructor(private readonly most: number = MOST) {}

  /** The number of the last held moment; if none is held, one less than the first. */
  get end(): number {
    return this.first + this.moments.length - 1;
  }

  has(event: number): boolean {
    return event >= this.first && event <= this.end;
  }

  moment(event: number): Moment | undefined {
    return this.has(event) ? this.moments[event - this.first] : undefined;
  }

  state(event: number): State | undefined {
    return this.has(event) ? this.states[event - this.first] : undefined;
  }

  /** Takes a page of moments in: joins it to the window if they touch, otherwise replaces the window. */
  put(page: MomentPage): void {
    const states: State[] = [];
    let before = page.before;
    for (const moment of page.moments) {
      before = applied(before, moment);
      states.push(before);
    }
    if (this.moments.length > 0 && page.from === this.end + 1) {
      this.moments = [...this.moments, ...page.moments];
      this.states = [...this.states, ...states];
      this.trim("first");
    } else if (this.moments.length > 0 && page.to === this.first - 1) {
      this.moments = [...page.moments, ...this.moments];
      this.states = [...states, ...this.states];
      this.first = page.from;
      this.trim("end");
    } else {
      this.moments = page.moments;
      this.states = states;
      this.first = page.from;
    }
  }

  /** Takes in the next moment of a growing game; says whether it joins the window. */
  append(moment: Moment): boolean {
    if (moment.event !== this.end + 1 || this.moments.length === 0) return false;
    this.states = [...this.states, applied(this.states.at(-1) ?? null, moment)];
    this.moments = [...this.moments, moment];
    this.trim("first");
    return true;
  }

  clear(): void {
    this.moments = [];
    this.states = [];
    this.first = 1;
  }

  private trim(side: "first" | "end"): void {
    const over = this.moments.length - this.most;
    if (over <= 0) return;
    const [from, to] = side === "first" ? [over, undefined] : [0, this.most];
    this.moments = this.moments.slice(from, to);
    this.states = this.states.slice(from, to);
    if (side === "first") this.first += over;
  }
}
