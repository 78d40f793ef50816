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

/** How long until a stream that the server has closed is opened again: a little longer each time. */
const AGAIN = { first: 2_000, most: 30_000 };

/**
 * Listens to a game that grows. The stream is closed while the page is hidden, because a browser allows few of them, and
 * opened again from the last received event. A stream that the server has closed is opened again after a while.
 */
export class Live implements Listening {
  private stream: EventSource | null = null;
  private ended = false;
  private pause = AGAIN.first;
  private timer: ReturnType<typeof setTimeout> | undefined;

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
    clearTimeout(this.timer);
    if (document.hidden) this.close();
    else this.open();
  };

  /** The server has closed the stream, or does not answer: the browser itself does not open it again. */
  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.look, this.pause);
    this.pause = Math.min(2 * this.pause, AGAIN.most);
  }

  private open(): void {
    if (this.stream || this.ended) return;
    const { after, identity, head } = this.place();
    const asked = new URLSearchParams({ after: String(after), ...(identity && { identity }), ...(identity && head && { head }) });
    const stream = new EventSource(`${this.path}${this.path.includes("?") ? "&" : "?"}${asked}`);
    this.stream = stream;
    stream.addEventListener("open", () => {
      this.pause = AGAIN.first;
      this.heard.connected(true);
    });
    stream.addEventListener("error", () => {
      this.heard.connected(false);
      if (stream.readyState !== EventSource.CLOSED || this.stream !== stream) return;
      this.stream = null;
      this.later();
    });
    stream.addEventListener("moment", (event) => this.heard.moment(JSON.parse(event.data) as Moment));
    stream.addEventListener("reset", () => {
      this.close();
      this.heard.reset();
    });
    stream.addEventListener("closing", () => {
      this.close();
      this.later();
    });
  }

  close = (): void => {
    if (!this.stream) return;
    this.stream.close();
    this.stream = null;
    this.heard.connected(false);
  };

  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.close();
    document.removeEventListener("visibilitychange", this.look);
    removeEventListener("pagehide", this.close);
    removeEventListener("pageshow", this.look);
  }
}
