import type { Answers, GameInfo, Moment, State } from "../source/types";
import { type Act, type Drawers, drawers } from "./drawers";

/** A command that no server has acknowledged yet. */
export interface Unsent {
  /** Its place in the queue; set when it is kept. */
  n: number;
  /** The id of the command: it is stored only once, even if an answer is lost. */
  id: string;
  game: string;
  /** The identity of the game: another game of the same name at the same address does not get the command. */
  identity: string;
  /** The request: words, events, or an action. */
  body: Record<string, unknown>;
  /** The command in words. */
  says: string;
  /** The last event that its sender had seen. */
  seen: number;
  /** The digest at that event. */
  head: string;
  /** The turn that was shown when it was made. */
  turn: number | null;
  /** Whether it begins a turn: commands after it were made in that turn. */
  passes: boolean;
  made: string;
  /** Whether it may have reached the server: it was sent, and no answer came. */
  tried?: true;
  /** Whether it should be undone once it is known to be stored. */
  undone?: true;
  /** Why it was refused for good: it is out of the queue, and its sender is told. */
  asked?: Asked;
}

export interface Asked {
  why: string;
  turn: number | null;
  since: { event: number; sentence: string }[];
}

/** The last seen state of a game, shown while no server answers. */
export interface View {
  game: string;
  name: string;
  /** The identity of the game; missing in what an earlier version of the page kept. */
  identity?: string;
  players: string[];
  /** The players who have left the game; missing in what an earlier version of the page kept. */
  left?: string[];
  last: number;
  /** The digest at the last event. */
  head?: string;
  /** What the game says can be undone; missing: not known at the moment. */
  undoable?: Undoable | null;
  state: State | null;
  forecast: string;
  /** The forecast as a document; missing in what an earlier version of the page kept. */
  ahead?: Answers["forecast"] | null;
  recent: Moment[];
  role: string | null;
  you: string | null;
  /** A player of a table among friends, who may rule what it is. */
  rules?: true;
}

export type Undoable = NonNullable<GameInfo["undoable"]>;

/** How a command is undone: by which id, and what its sender had seen. Neither changes once the undo was sent. */
export interface Undo {
  id: string;
  seen: number;
  head: string;
  tried?: true;
}

export interface Sent {
  id: string;
  game: string;
  identity: string;
  first: number;
  last: number;
  says: string;
  /** Whether it is still to be undone, and how. */
  undone?: true;
  undo?: Undo;
}

/** A sender's position in the game: the last seen event. */
export interface Place {
  last: number;
  head: string;
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

  /** The commands made at an address that are not acknowledged, in order, for every game there. */
  unsent(game: string): Promise<Unsent[]> {
    return this.drawers.act(["unsent"], async (act) => (await act.all<Unsent>("unsent")).filter((one) => one.game === game));
  }

  keep(one: Omit<Unsent, "n">): Promise<void> {
    return this.drawers.act(["unsent"], (act) => act.put("unsent", one), true);
  }

  /** A command was stored: it leaves the queue, and the one behind it has now seen its result. */
  acknowledge(one: Unsent, first: number, { last, head }: Place, undo: string): Promise<void> {
    const doing = async (act: Act): Promise<void> => {
      const all = of(one, await act.all<Unsent>("unsent"));
      const place = all.findIndex((each) => each.id === one.id);
      const stored = all[place];
      // Another window may have done all this already.
      if (!stored) return;
      act.remove("unsent", one.n);
      const next = all.slice(place + 1).find((each) => !each.asked);
      if (next && next.seen < last) act.put("unsent", { ...next, seen: last, head });
      const { id, game, identity, says, undone } = stored;
      act.put("sent", { id, game, identity, first, last, says, ...(undone && { undone, undo: { id: undo, seen: last, head } }) } satisfies Sent);
    };
    return this.drawers.act(["unsent", "sent"], doing, true);
  }

  /**
   * A command was refused for good: it leaves the queue, and its sender is asked what to do with it; one that was to be
   * undone is forgotten. If it was to begin a turn, the commands made in that turn leave too, because of `unbegun`.
   */
  ask(one: Unsent, asked: Asked, unbegun: string): Promise<void> {
    const doing = async (act: Act): Promise<void> => {
      const all = of(one, await act.all<Unsent>("unsent"));
      const stored = all.find(({ n }) => n === one.n);
      if (!stored) return;
      const out = (each: Unsent, because: Asked): void => (each.undone ? act.remove("unsent", each.n) : act.put("unsent", { ...each, asked: because }));
      out(stored, asked);
      if (!stored.passes || stored.undone) return;
      for (const each of all) if (each.n > one.n && !each.asked) out(each, { why: unbegun, turn: null, since: [] });
    };
    return this.drawers.act(["unsent"], doing, true);
  }

  /** A command is sent: until there is an answer, it is not known whether it is stored. */
  trying(one: Unsent): Promise<void> {
    const doing = async (act: Act): Promise<void> => {
      const each = (await act.all<Unsent>("unsent")).find(({ n }) => n === one.n);
      if (each) act.put("unsent", { ...each, tried: true } satisfies Unsent);
    };
    return this.drawers.act(["unsent"], doing, true);
  }

  /** Marks a command that is stored, or may be, to be undone once it is known to be stored; says whether it may be. */
  withdraw(one: Unsent | Sent, sending: boolean, undo: Undo): Promise<boolean> {
    const doing = async (act: Act): Promise<boolean> => {
      const each = (await act.all<Unsent>("unsent")).find(({ id }) => id === one.id);
      if (each) {
        if (each.asked || !(each.tried || sending)) return false;
        act.put("unsent", { ...each, undone: true } satisfies Unsent);
        return true;
      }
      const stored = (await act.all<Sent>("sent")).find(({ id }) => id === one.id) ?? one;
      // Another window may have dropped it before it was sent.
      if ("body" in stored) return false;
      act.put("sent", { ...stored, undone: true, undo } satisfies Sent);
      return true;
    };
    return this.drawers.act(["unsent", "sent"], doing, true);
  }

  /** Drops a command. */
  drop(one: Unsent): Promise<void> {
    return this.drawers.act(["unsent"], (act) => act.remove("unsent", one.n), true);
  }

  async sent(of: { game: string; identity: string }): Promise<Sent[]> {
    const all = await this.drawers.act(["sent"], (act) => act.all<Sent>("sent"));
    return all.filter((one) => one.game === of.game && one.identity === of.identity).sort((a, b) => a.last - b.last);
  }

  /** An undo is sent: it no longer changes. */
  undoing(one: Sent): Promise<void> {
    const doing = async (act: Act): Promise<void> => {
      const stored = (await act.all<Sent>("sent")).find(({ id }) => id === one.id);
      if (stored?.undo) act.put("sent", { ...stored, undo: { ...stored.undo, tried: true } } satisfies Sent);
    };
    return this.drawers.act(["sent"], doing, true);
  }

  /** A command is no longer to be undone; later commands, up to this place, have seen that, and so have other undos. */
  forget(one: Sent, place: Place | null): Promise<void> {
    const doing = async (act: Act): Promise<void> => {
      act.remove("sent", one.id);
      if (place === null) return;
      const { last, head } = place;
      const next = of(one, await act.all<Unsent>("unsent")).find((each) => !each.asked);
      if (next && next.seen < last) act.put("unsent", { ...next, seen: last, head } satisfies Unsent);
      for (const each of of(one, await act.all<Sent>("sent"))) {
        if (each.id !== one.id && each.undo && !each.undo.tried && each.undo.seen < last) act.put("sent", { ...each, undo: { ...each.undo, seen: last, head } } satisfies Sent);
      }
    };
    return this.drawers.act(["sent", "unsent"], doing, true);
  }

  async view(game: string): Promise<View | undefined> {
    const all = await this.drawers.act(["views"], (act) => act.all<View>("views"));
    return all.find((one) => one.game === game);
  }

  look(view: View): Promise<void> {
    return this.drawers.act(["views"], (act) => act.put("views", view), true);
  }
}

/** The commands of the same game, by its identity. */
function of<T extends { game: string; identity: string }>(one: { game: string; identity: string }, some: readonly T[]): T[] {
  return some.filter(({ game, identity }) => game === one.game && identity === one.identity);
}
