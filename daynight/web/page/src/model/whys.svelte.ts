import { Refusal, sentenceOf } from "../source/refusal";
import type { Source } from "../source/source";
import type { Why } from "../source/types";

/** How many answers are held. */
const MOST = 200;

/** Why it is day or night: the answer for the current event, and earlier answers by event. */
export class Whys {
  now = $state.raw<Why | null>(null);
  /** Why there is no answer for the current event. */
  refused = $state<string | null>(null);
  /** The edition of the rules that the reasons cite, if it is not the game's own. */
  edition = $state<string | null>(null);
  private held = new Map<number, Why>();

  /** Asks about an event; for a record of another mechanic (`plain`) about each part. A late answer is not shown. */
  async ask(source: Source, at: number, plain: boolean, current: () => boolean): Promise<void> {
    const { held } = this;
    try {
      const why = await this.of(source, at, plain);
      if (held !== this.held || !current()) return;
      this.now = why;
      this.refused = null;
    } catch (thrown) {
      if (held !== this.held || !current()) return;
      this.now = null;
      this.refused = thrown instanceof Refusal && thrown.code === "no-such-route" ? null : sentenceOf(thrown);
    }
  }

  private async of(source: Source, at: number, plain: boolean): Promise<Why> {
    const known = this.held.get(at);
    if (known) return known;
    const { held } = this;
    const why = plain ? await source.ask("blame", { at }) : await source.why(at, this.edition);
    if (held.size >= MOST) held.delete(held.keys().next().value ?? 0);
    held.set(at, why);
    return why;
  }

  /** Cites the reasons by another edition; null is the game's own. */
  cite(edition: string | null): void {
    this.edition = edition;
    this.held = new Map();
  }

  /** Forgets all answers: another game or another language follows. */
  clear(): void {
    this.held = new Map();
    this.now = null;
  }
}
