import type { Source } from "../source/source";
import type { Consequence, Mark, MarkKind, Moment } from "../source/types";
import { beside } from "../travel/places";

const PAGES = 40;

/** The marks of a game: turns, changes, disagreements, disputes and notes, in order. */
export class Marks {
  all = $state.raw<Mark[]>([]);
  // Going to the next mark looks it up by kind, so each kind is kept apart.
  private readonly kinds = $derived.by(() => {
    const found: Partial<Record<MarkKind, Mark[]>> = {};
    for (const mark of this.all) (found[mark.kind] ??= []).push(mark);
    return found;
  });
  private reading = 0;

  async load(source: Source): Promise<void> {
    const mine = ++this.reading;
    let after: string | null = null;
    let found: Mark[] = [];
    for (let page = 0; page < PAGES; page += 1) {
      const { marks, next } = await source.marks(after);
      if (mine !== this.reading) return;
      found = [...found, ...marks];
      this.all = found;
      if (next === null) return;
      after = next;
    }
  }

  /** Adds the marks of a moment that has just come. */
  append(moment: Moment, turn: number | null): void {
    const more: Mark[] = [];
    const mark = (kind: MarkKind): void => {
      more.push({ event: moment.event, kind, turn, text: moment.sentence });
    };
    if (moment.record.type === "turn-began") mark("turn");
    if (moment.consequences.some((one: Consequence) => one.type === "changed")) mark("change");
    if (moment.claim?.verdict === "differs") mark("disagreement");
    if (moment.record.type.startsWith("dispute-")) mark("dispute");
    if (moment.record.type === "note-added") mark("note");
    if (more.length > 0) this.all = [...this.all, ...more];
  }

  of(kind: MarkKind): readonly Mark[] {
    return this.kinds[kind] ?? [];
  }

  /** The next mark of a kind after an event, or the last one before it. */
  beside(kind: MarkKind, event: number, step: 1 | -1): Mark | undefined {
    return beside(this.of(kind), event, step);
  }
}
