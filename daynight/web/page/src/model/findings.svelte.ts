import { reasonOf } from "../source/refusal";
import type { Source } from "../source/source";
import type { Audit, Finding } from "../source/types";
import type { Held } from "./held";

/** How many findings are shown with the names of their cards. */
const NAMED = 20;

/** What the audit of a game found: the findings that count, and what it leaves open, each with its event. */
export class Findings {
  audit = $state.raw<Audit | null>(null);
  /** The cards that findings are about, by permanent. */
  cards = $state.raw<Record<string, string>>({});
  readonly wrong = $derived(sorted(this.audit?.findings));
  readonly open = $derived(sorted(this.audit?.unsettled));
  /** Whether something that contradicted the rules was undone since. */
  readonly struck = $derived(((this.audit?.findings ?? []) as Finding[]).some((one) => one.undone));
  private readonly at = $derived(new Map([...this.open, ...this.wrong].map((one) => [one.event, one])));
  private reading = 0;

  /** Why the claims cannot be checked. */
  refused = $state<string | null>(null);

  /** Has every claim checked against the rules; `held` has states that need not be requested. */
  async judge(source: Source, held: Held): Promise<void> {
    const mine = ++this.reading;
    try {
      await this.load(mine, source, held);
      if (mine === this.reading) this.refused = null;
    } catch (thrown) {
      if (mine === this.reading) this.refused = reasonOf(thrown);
    }
  }

  private async load(mine: number, source: Source, held: Held): Promise<void> {
    const audit = await source.audit();
    if (mine !== this.reading) return;
    this.audit = audit;
    const cards: Record<string, string> = {};
    for (const one of [...this.wrong, ...this.open].slice(0, NAMED)) {
      if (one.about !== "face" || typeof one.subject !== "string" || one.subject in cards) continue;
      const state = held.state(one.event - 1) ?? (await source.state(one.event));
      if (mine !== this.reading) return;
      const there = state.battlefield?.find((each) => each.permanent === one.subject);
      if (there?.card) cards[one.subject] = there.card;
    }
    this.cards = cards;
  }

  /** The finding about the claim or ruling at an event. */
  of(event: number): Finding | undefined {
    return this.at.get(event);
  }

  clear(): void {
    this.reading += 1;
    this.audit = null;
    this.cards = {};
  }
}

function sorted(some: unknown): Finding[] {
  return ((some ?? []) as Finding[]).filter((one) => !one.undone).sort((one, other) => one.event - other.event);
}
