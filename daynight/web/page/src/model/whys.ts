import type { Source } from "../source/source";
import type { Why } from "../source/types";

/** How many answers are held. */
const MOST = 200;

/** Why it is what it is, by event, as far as it was asked. */
export class Whys {
  private held = new Map<number, Why>();

  /** The answer of an event; of a record of another mechanic (`plain`) each part's. */
  async of(source: Source, at: number, edition: string | null, plain: boolean): Promise<Why> {
    const known = this.held.get(at);
    if (known) return known;
    const { held } = this;
    const why = plain ? await source.ask("blame", { at }) : await source.why(at, edition);
    if (held.size >= MOST) held.delete(held.keys().next().value ?? 0);
    held.set(at, why);
    return why;
  }

  /** Forgets all: what is answered from now on is of another game, edition or language. */
  clear(): void {
    this.held = new Map();
  }
}
