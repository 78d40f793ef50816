import type { Moment, State } from "../source/types";
import { type Act, type Drawers, drawers } from "./drawers";

/** A command that no server has acknowledged yet. */
export interface Unsent {
  /** Its place in the queue; given when it is kept. */
  n: number;
  /** The id of the command: whatever becomes of an answer, it is stored once. */
  id: string;
  game: string;
  /** What is asked for: words, events, or something to do. */
  body: Record<string, unknown>;
  /** It as a person would say it. */
  says: string;
  /** The last event that its sender had seen. */
  seen: number;
  /** The turn it was made in, as it was shown. */
  turn: number | null;
  /** Whether it begins a turn: what is behind it was then made in that one. */
  passes: boolean;
  made: string;
  /** Why it waits for its sender to say what becomes of it. */
  asked?: Asked;
}

export interface Asked {
  why: string;
  turn: number | null;
  since: { event: number; sentence: string }[];
}

/** What was seen of a game last, so that it is shown where no server answers. */
export interface View {
  game: string;
  name: string;
  players: string[];
  last: number;
  state: State | null;
  forecast: string;
  recent: Moment[];
  role: string | null;
  you: string | null;
}

export interface Sent {
  id: string;
  game: string;
  first: number;
  last: number;
  says: string;
}

/** Where commands are kept until they are acknowledged. */
export class Keeping {
  private constructor(private readonly drawers: Drawers) {}

  static async open(): Promise<Keeping> {
    return new Keeping(await drawers());
  }

  /** Whether what is kept outlives the page. */
  get lasts(): boolean {
    return this.drawers.lasts;
  }

  /** The commands of a game that are not acknowledged, in order. */
  unsent(game: string): Promise<Unsent[]> {
    return this.drawers.act(["unsent"], async (act) => of(game, await act.all<Unsent>("unsent")));
  }

  keep(one: Omit<Unsent, "n">): Promise<void> {
    return this.drawers.act(["unsent"], (act) => act.put("unsent", one), true);
  }

  /** A command was stored: it leaves the queue, and the one behind it has seen what it led to. */
  acknowledge(one: Unsent, first: number, last: number): Promise<void> {
    const doing = async (act: Act): Promise<void> => {
      const all = of(one.game, await act.all<Unsent>("unsent"));
      const place = all.findIndex((each) => each.id === one.id);
      // Another window may have done all this already.
      if (place < 0) return;
      act.remove("unsent", one.n);
      const next = all[place + 1];
      if (next && next.seen < last) act.put("unsent", { ...next, seen: last });
      act.put("sent", { id: one.id, game: one.game, first, last, says: one.says } satisfies Sent);
    };
    return this.drawers.act(["unsent", "sent"], doing, true);
  }

  /** A command waits for its sender. */
  ask(one: Unsent, asked: Asked): Promise<void> {
    const doing = async (act: Act): Promise<void> => {
      if ((await act.all<Unsent>("unsent")).some((each) => each.n === one.n)) act.put("unsent", { ...one, asked });
    };
    return this.drawers.act(["unsent"], doing, true);
  }

  /** A command is given up. Where it began a turn, what was made in that turn has none any more: it is asked about. */
  drop(one: Unsent, why: string): Promise<void> {
    const doing = async (act: Act): Promise<void> => {
      const behind = of(one.game, await act.all<Unsent>("unsent")).filter((each) => each.n > one.n && !each.asked);
      act.remove("unsent", one.n);
      if (!one.passes) return;
      for (const each of behind) act.put("unsent", { ...each, asked: { why, turn: null, since: [] } });
    };
    return this.drawers.act(["unsent"], doing, true);
  }

  async sent(game: string): Promise<Sent[]> {
    const all = await this.drawers.act(["sent"], (act) => act.all<Sent>("sent"));
    return of(game, all).sort((a, b) => a.last - b.last);
  }

  forget(id: string): Promise<void> {
    return this.drawers.act(["sent"], (act) => act.remove("sent", id), true);
  }

  async view(game: string): Promise<View | undefined> {
    const all = await this.drawers.act(["views"], (act) => act.all<View>("views"));
    return all.find((one) => one.game === game);
  }

  look(view: View): Promise<void> {
    return this.drawers.act(["views"], (act) => act.put("views", view), true);
  }
}

function of<T extends { game: string }>(game: string, some: readonly T[]): T[] {
  return some.filter((one) => one.game === game);
}
