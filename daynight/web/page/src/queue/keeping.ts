import type { Answers, GameInfo, Moment, State } from "../source/types";
import { type Act, type Drawers, drawers } from "./drawers";

/** A command that no server has acknowledged yet. */
export interface Unsent {
  /** Its place in the queue; given when it is kept. */
  n: number;
  /** The id of the command: whatever becomes of an answer, it is stored once. */
  id: string;
  game: string;
  /** The game's identity: at the same address another game of the same name gets nothing of it. */
  identity: string;
  /** What is asked for: words, events, or something to do. */
  body: Record<string, unknown>;
  /** It as a person would say it. */
  says: string;
  /** The last event that its sender had seen. */
  seen: number;
  /** The digest at that event. */
  head: string;
  /** The turn it was made in, as it was shown. */
  turn: number | null;
  /** Whether it begins a turn: what is behind it was then made in that one. */
  passes: boolean;
  made: string;
  /** Whether it may have reached the server: it was sent, and no answer came. */
  tried?: true;
  /** Whether it is to be taken back once it is known to be stored. */
  undone?: true;
  /** Why it was not stored, where sending it again would change nothing: it is out of the queue, and its sender is told. */
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
  /** What tells the game from others of its name; what an earlier version of the page kept has none. */
  identity?: string;
  players: string[];
  last: number;
  /** The digest at the last event. */
  head?: string;
  /** What the game says can be taken back; left out: it is not known just now. */
  undoable?: Undoable | null;
  state: State | null;
  forecast: string;
  /** The forecast as a document; what an earlier version of the page kept has none. */
  ahead?: Answers["forecast"] | null;
  recent: Moment[];
  role: string | null;
  you: string | null;
  /** A player of a table among friends, who may rule what it is. */
  rules?: true;
}

export type Undoable = NonNullable<GameInfo["undoable"]>;

/** How a command is taken back: under which id, and what its sender had seen, which never changes under that id once it was sent. */
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
  /** Whether it is still to be taken back, and how. */
  undone?: true;
  undo?: Undo;
}

/** Where in the game a sender is: what they have seen last. */
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

  /** The commands that were made at an address and are not acknowledged, in order, of whatever game. */
  unsent(game: string): Promise<Unsent[]> {
    return this.drawers.act(["unsent"], async (act) => (await act.all<Unsent>("unsent")).filter((one) => one.game === game));
  }

  keep(one: Omit<Unsent, "n">): Promise<void> {
    return this.drawers.act(["unsent"], (act) => act.put("unsent", one), true);
  }

  /** A command was stored: it leaves the queue, and the one behind it has seen what it led to. */
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
   * A command was refused for good: it leaves the queue, and its sender is asked what becomes of it; one that was taken
   * back is forgotten. What was made in a turn that it was to begin has no turn: it leaves with it, because of `unbegun`.
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

  /** A command is sent: from now on nobody knows whether it is stored, until there is an answer. */
  trying(one: Unsent): Promise<void> {
    const doing = async (act: Act): Promise<void> => {
      const each = (await act.all<Unsent>("unsent")).find(({ n }) => n === one.n);
      if (each) act.put("unsent", { ...each, tried: true } satisfies Unsent);
    };
    return this.drawers.act(["unsent"], doing, true);
  }

  /** A command that is stored, or may be, is to be taken back once it is known to be; says whether it may be. */
  withdraw(one: Unsent | Sent, sending: boolean, undo: Undo): Promise<boolean> {
    const doing = async (act: Act): Promise<boolean> => {
      const each = (await act.all<Unsent>("unsent")).find(({ id }) => id === one.id);
      if (each) {
        if (each.asked || !(each.tried || sending)) return false;
        act.put("unsent", { ...each, undone: true } satisfies Unsent);
        return true;
      }
      const stored = (await act.all<Sent>("sent")).find(({ id }) => id === one.id) ?? one;
      // It may have been dropped in another window, and never sent.
      if ("body" in stored) return false;
      act.put("sent", { ...stored, undone: true, undo } satisfies Sent);
      return true;
    };
    return this.drawers.act(["unsent", "sent"], doing, true);
  }

  /** A command is given up. */
  drop(one: Unsent): Promise<void> {
    return this.drawers.act(["unsent"], (act) => act.remove("unsent", one.n), true);
  }

  async sent(of: { game: string; identity: string }): Promise<Sent[]> {
    const all = await this.drawers.act(["sent"], (act) => act.all<Sent>("sent"));
    return all.filter((one) => one.game === of.game && one.identity === of.identity).sort((a, b) => a.last - b.last);
  }

  /** An undo is sent: from now on it stays what it is. */
  undoing(one: Sent): Promise<void> {
    const doing = async (act: Act): Promise<void> => {
      const stored = (await act.all<Sent>("sent")).find(({ id }) => id === one.id);
      if (stored?.undo) act.put("sent", { ...stored, undo: { ...stored.undo, tried: true } } satisfies Sent);
    };
    return this.drawers.act(["sent"], doing, true);
  }

  /** A command is no longer to be taken back; what was made since has seen that, up to this place, and so have other undos. */
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

/** Those of the same game, as its identity tells it. */
function of<T extends { game: string; identity: string }>(one: { game: string; identity: string }, some: readonly T[]): T[] {
  return some.filter(({ game, identity }) => game === one.game && identity === one.identity);
}
