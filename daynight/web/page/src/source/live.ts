import type { Moment } from "./types";

export interface Heard {
  moment(moment: Moment): void;
  /** The stream was interrupted: read the game from the server again, then listen from there. */
  reset(): void;
  /** Whether the stream is open. */
  connected(yes: boolean): void;
}

/** A listener's position: the last known event, the digest there, and the identity of the game. */
export interface Place {
  after: number;
  identity?: string | undefined;
  head?: string | undefined;
}

export interface Listening {
  end(): void;
}

/**
 * Listens to a game that grows. The stream is closed while the page is hidden, because a browser allows few of them, and
 * opened again from the last received event.
 */
export class Live implements Listening {
  private stream: EventSource | null = null;
  private ended = false;

  constructor(
    private readonly path: string,
    private readonly place: () => Place,
    private readonly heard: Heard,
  ) {
    document.addEventListener("visibilitychange", this.look);
    addEventListener("pagehide", this.close);
    addEventListener("pageshow", this.look);
    this.look();
  }

  private look = (): void => {
    if (this.ended) return;
    if (document.hidden) this.close();
    else this.open();
  };

  private open(): void {
    if (this.stream || this.ended) return;
    const { after, identity, head } = this.place();
    const asked = new URLSearchParams({ after: String(after), ...(identity && { identity }), ...(identity && head && { head }) });
    const stream = new EventSource(`${this.path}${this.path.includes("?") ? "&" : "?"}${asked}`);
    this.stream = stream;
    stream.addEventListener("open", () => this.heard.connected(true));
    stream.addEventListener("error", () => {
      this.heard.connected(false);
      // A refusal ends the stream: the browser itself does not retry.
      if (stream.readyState === EventSource.CLOSED && this.stream === stream) this.stream = null;
    });
    stream.addEventListener("moment", (event) => this.heard.moment(JSON.parse(event.data) as Moment));
    stream.addEventListener("reset", () => {
      this.close();
      this.heard.reset();
    });
    stream.addEventListener("closing", () => this.close());
  }

  close = (): void => {
    if (!this.stream) return;
    this.stream.close();
    this.stream = null;
    this.heard.connected(false);
  };

  end(): void {
    this.ended = true;
    this.close();
    document.removeEventListener("visibilitychange", this.look);
    removeEventListener("pagehide", this.close);
    removeEventListener("pageshow", this.look);
  }
}
