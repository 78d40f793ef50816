import { games } from "../source/http";
import { sentenceOf } from "../source/refusal";
import type { GameRow } from "../source/types";

const PAGE = 100;

/** The games of a server: the first page at once, more on request, refreshed as games grow. */
export class Library {
  games = $state.raw<GameRow[]>([]);
  behind = $state(0);
  next = $state<string | null>(null);
  loaded = $state(false);
  refused = $state<string | null>(null);

  private q = "";
  private verdict = "";
  private asked = 0;
  private typing: ReturnType<typeof setTimeout> | undefined;
  private growing: ReturnType<typeof setTimeout> | undefined;
  private stream: EventSource | null = null;

  async start(): Promise<void> {
    document.addEventListener("visibilitychange", this.look);
    addEventListener("pagehide", this.close);
    addEventListener("pageshow", this.look);
    await this.read();
    this.look();
  }

  end(): void {
    document.removeEventListener("visibilitychange", this.look);
    removeEventListener("pagehide", this.close);
    removeEventListener("pageshow", this.look);
    this.close();
    clearTimeout(this.typing);
    clearTimeout(this.growing);
  }

  /** Searches once nothing has been typed for a moment. */
  soon(q: string, verdict: string): void {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => void this.search(q, verdict), 200);
  }

  async search(q: string, verdict: string): Promise<void> {
    this.q = q;
    this.verdict = verdict;
    await this.read();
  }

  private async read(): Promise<void> {
    const mine = ++this.asked;
    try {
      const page = await games({ q: this.q, verdict: this.verdict, limit: Math.min(500, Math.max(PAGE, this.games.length)) });
      if (mine !== this.asked) return;
      this.games = page.games;
      this.next = page.next;
      this.behind = page.behind;
      this.refused = null;
      // Each request brings the list forward, so it is asked for until it has every event.
      if (page.behind > 0) this.soonAgain();
    } catch (thrown) {
      if (mine === this.asked) this.refused = sentenceOf(thrown);
    } finally {
      if (mine === this.asked) this.loaded = true;
    }
  }

  async more(): Promise<void> {
    if (this.next === null) return;
    const mine = this.asked;
    try {
      const page = await games({ q: this.q, verdict: this.verdict, after: this.next, limit: PAGE });
      if (mine !== this.asked) return;
      this.games = [...this.games, ...page.games];
      this.next = page.next;
    } catch (thrown) {
      this.refused = sentenceOf(thrown);
    }
  }

  private look = (): void => {
    if (document.hidden) this.close();
    else if (!this.stream) {
      this.stream = new EventSource("/v1/live");
      // Many games may grow at once: the list is read again when they have been quiet, or after one second at most.
      this.stream.addEventListener("game", () => this.soonAgain());
    }
  };

  private soonAgain(): void {
    if (this.growing !== undefined) return;
    this.growing = setTimeout(() => {
      this.growing = undefined;
      void this.read();
    }, 1_000);
  }

  private close = (): void => {
    this.stream?.close();
    this.stream = null;
  };
}
