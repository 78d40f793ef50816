import type { Source } from "../source/source";
import type { Consequence, Mark, MarkKind, MarkPage, Moment } from "../source/types";
import { beside, lastAt } from "../travel/places";

/** How many pages are read at most of each of these kinds, if a record has more marks than one page. */
const PAGES = [
  ["disagreement,dispute,note", 40],
  ["change", 40],
  ["turn", 10],
] as const;

/** How many turns are asked for, one by one, in a part of the record with too many. */
const SAMPLES = 16;

/** The marks of a game: turns, changes, disagreements, disputes and notes, in order. */
export class Marks {
  all = $state.raw<Mark[]>([]);
  // Going to the next mark looks it up by kind, so each kind is kept apart.
  private readonly kinds = $derived.by(() => {
    const found: Partial<Record<MarkKind, Mark[]>> = {};
    for (const mark of this.all) (found[mark.kind] ??= []).push(mark);
    return found;
  });
  /** Up to this event all turns are known. */
  turnsTo = $state(0);
  /** Some turns of the part that is shown, where not all turns are known. */
  some = $state.raw<readonly Mark[]>([]);
  /** Ends once the marks of the game have come, or could not be read. */
  loaded: Promise<void> = Promise.resolve();
  private reading = 0;
  private sampling = 0;

  load(source: Source): void {
    this.loaded = this.read(source).catch(() => undefined);
  }

  private async read(source: Source): Promise<void> {
    const mine = ++this.reading;
    this.turnsTo = 0;
    this.some = [];
    const { marks, next } = await source.marks({});
    if (mine !== this.reading) return;
    if (next === null) {
      this.all = marks;
      this.turnsTo = Infinity;
      return;
    }
    let found: Mark[] = [];
    for (const [kind, pages] of PAGES) {
      let after: string | null = null;
      let last = 0;
      for (let page = 0; page < pages; page += 1) {
        const more: MarkPage = await source.marks({ kind, after });
        if (mine !== this.reading) return;
        found = [...found, ...more.marks];
        this.all = found;
        after = more.next;
        last = after === null ? Infinity : (more.marks.at(-1)?.event ?? last);
        if (after === null) break;
      }
      if (kind === "turn") this.turnsTo = last;
    }
  }

  /** Asks for turns between two events: all of them if a page has them, otherwise some, evenly spread. */
  async sample(source: Source, first: number, last: number): Promise<void> {
    const mine = ++this.sampling;
    const { marks, next } = await source.marks({ kind: "turn", from: first });
    if (mine !== this.sampling) return;
    if (next === null || (marks.at(-1)?.event ?? last) >= last) {
      this.some = marks;
      return;
    }
    const found = new Map<number, Mark>();
    for (let place = 0; place < SAMPLES; place += 1) {
      const from = first + Math.floor(((last - first) * place) / SAMPLES);
      const [mark] = (await source.marks({ kind: "turn", from, limit: 1 })).marks;
      if (mine !== this.sampling) return;
      if (mark) found.set(mark.event, mark);
      this.some = [...found.values()];
    }
  }

  /** The turn of an event; null where it is not known. */
  turnOf(event: number): number | null {
    const claimed = this.of("disagreement").find((mark) => mark.event === event);
    if (claimed) return claimed.turn;
    return event <= this.turnsTo ? (lastAt(this.of("turn"), event)?.turn ?? null) : null;
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
