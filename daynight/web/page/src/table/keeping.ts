import type { Moment, State } from "../source/types";

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

const NAME = "daynight.table";

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
}

function finished(act: IDBTransaction): Promise<void> {
  return new Promise((done, failed) => {
    act.oncomplete = () => done();
    act.onabort = act.onerror = () => failed(act.error);
  });
}

/** Where commands are kept until they are acknowledged: the browser's database, which outlives a reload and a crash. */
export class Keeping {
  private constructor(private readonly base: IDBDatabase) {}

  static async open(): Promise<Keeping> {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("unsent", { keyPath: "n", autoIncrement: true });
      asked.result.createObjectStore("sent", { keyPath: "id" });
      asked.result.createObjectStore("views", { keyPath: "game" });
    };
    return new Keeping(await answered(asked));
  }

  /** The commands of a game that are not acknowledged, in order. */
  async unsent(game: string): Promise<Unsent[]> {
    const all = (await answered(this.base.transaction("unsent").objectStore("unsent").getAll())) as Unsent[];
    return all.filter((one) => one.game === game);
  }

  async keep(one: Omit<Unsent, "n">): Promise<void> {
    const act = this.base.transaction("unsent", "readwrite", { durability: "strict" });
    act.objectStore("unsent").add(one);
    await finished(act);
  }

  /** A command was stored: it leaves the queue, and the one behind it has seen what it led to. */
  async acknowledge(one: Unsent, first: number, last: number): Promise<void> {
    const act = this.base.transaction(["unsent", "sent"], "readwrite");
    const queue = act.objectStore("unsent");
    const all = ((await answered(queue.getAll())) as Unsent[]).filter((each) => each.game === one.game);
    const place = all.findIndex((each) => each.id === one.id);
    // Another window may have done all this already.
    if (place >= 0) {
      queue.delete(one.n);
      const next = all[place + 1];
      if (next && next.seen < last) queue.put({ ...next, seen: last });
      act.objectStore("sent").put({ id: one.id, game: one.game, first, last, says: one.says } satisfies Sent);
    }
    await finished(act);
  }

  /** A command waits for its sender. */
  async ask(one: Unsent, asked: Asked): Promise<void> {
    const act = this.base.transaction("unsent", "readwrite");
    const queue = act.objectStore("unsent");
    if (await answered(queue.getKey(one.n))) queue.put({ ...one, asked });
    await finished(act);
  }

  /** A command is given up. Where it began a turn, what was made in that turn has none any more: it is asked about. */
  async drop(one: Unsent, why: string): Promise<void> {
    const act = this.base.transaction("unsent", "readwrite");
    const queue = act.objectStore("unsent");
    const all = ((await answered(queue.getAll())) as Unsent[]).filter((each) => each.game === one.game);
    queue.delete(one.n);
    if (one.passes) {
      for (const each of all) {
        if (each.n > one.n && !each.asked) queue.put({ ...each, asked: { why, turn: null, since: [] } });
      }
    }
    await finished(act);
  }

  async sent(game: string): Promise<Sent[]> {
    const all = (await answered(this.base.transaction("sent").objectStore("sent").getAll())) as Sent[];
    return all.filter((one) => one.game === game).sort((a, b) => a.last - b.last);
  }

  async forget(id: string): Promise<void> {
    const act = this.base.transaction("sent", "readwrite");
    act.objectStore("sent").delete(id);
    await finished(act);
  }

  async view(game: string): Promise<View | undefined> {
    return (await answered(this.base.transaction("views").objectStore("views").get(game))) as View | undefined;
  }

  async look(view: View): Promise<void> {
    const act = this.base.transaction("views", "readwrite");
    act.objectStore("views").put(view);
    await finished(act);
  }
}
