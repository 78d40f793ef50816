export type Drawer = "unsent" | "sent" | "views";

/** One transaction on the stores: all of it happens, or nothing. */
export interface Act {
  all<T>(drawer: Drawer): Promise<T[]>;
  /** Stores a value, replacing the one with the same key; an unsent command without a number gets the next one. */
  put(drawer: Drawer, value: object): void;
  remove(drawer: Drawer, key: number | string): void;
}

/** Where a browser keeps commands and what it has seen. */
export interface Drawers {
  /** Whether what is stored outlives the page. */
  readonly lasts: boolean;
  act<T>(drawers: Drawer[], doing: (act: Act) => Promise<T> | T, writes?: boolean): Promise<T>;
}

const NAME = "daynight.table";
const KEYS = { unsent: "n", sent: "id", views: "game" } as const;

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

/** The browser's database, which outlives a reload and a crash. */
class Database implements Drawers {
  readonly lasts = true;

  constructor(private readonly base: IDBDatabase) {}

  async act<T>(drawers: Drawer[], doing: (act: Act) => Promise<T> | T, writes = false): Promise<T> {
    const all = this.base.transaction(drawers, writes ? "readwrite" : "readonly", { durability: "strict" });
    const end = finished(all);
    // If the transaction itself fails, its own reason is reported.
    end.catch(() => undefined);
    const found = await doing({
      all: (drawer) => answered(all.objectStore(drawer).getAll()),
      put: (drawer, value) => void all.objectStore(drawer).put(value),
      remove: (drawer, key) => void all.objectStore(drawer).delete(key),
    });
    await end;
    return found;
  }
}

/** The memory of the page, if a private window has no database: it lasts until the page is closed. */
class Memory implements Drawers {
  readonly lasts = false;
  private readonly kept = { unsent: new Map<unknown, object>(), sent: new Map<unknown, object>(), views: new Map<unknown, object>() };
  private next = 1;
  private before: Promise<unknown> = Promise.resolve();

  act<T>(_drawers: Drawer[], doing: (act: Act) => Promise<T> | T): Promise<T> {
    const { kept } = this;
    const now = this.before.then(() =>
      doing({
        all: async <V>(drawer: Drawer) => [...kept[drawer].values()] as V[],
        put: (drawer, value) => {
          const given = drawer === "unsent" && !("n" in value) ? { ...value, n: this.next++ } : value;
          kept[drawer].set((given as Record<string, unknown>)[KEYS[drawer]], given);
        },
        remove: (drawer, key) => void kept[drawer].delete(key),
      }),
    );
    this.before = now.catch(() => undefined);
    return now;
  }
}

/** The database of this browser, or else its memory. */
export async function drawers(): Promise<Drawers> {
  try {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => {
      for (const [drawer, keyPath] of Object.entries(KEYS)) {
        asked.result.createObjectStore(drawer, { keyPath, autoIncrement: drawer === "unsent" });
      }
    };
    return new Database(await answered(asked));
  } catch {
    return new Memory();
  }
}
