import { applied } from "../model/deltas";
import type { Listening } from "../source/live";
import { Refusal, sentenceOf } from "../source/refusal";
import { present } from "../source/session";
import type { Source } from "../source/source";
import type { Acknowledged, Answers, Moment, State } from "../source/types";
import { Keeping, type View } from "../queue/keeping";
import { Queue } from "../queue/queue.svelte";

type Forecast = Answers["forecast"];

const RECENT = 30;
const AGAIN = 2_000;

/** A seat at the table: the game as it stands, shown from what was seen last until the server answers. */
export class Seat {
  view = $state.raw<View | null>(null);
  queue = $state.raw<Queue | null>(null);
  /** Whether the server is heard. */
  listening = $state(false);
  refused = $state<string | null>(null);
  /** Whether what is made here outlives the page. */
  keeps = $state(true);
  private keeping: Keeping | null = null;
  private live: Listening | null = null;
  private timer: ReturnType<typeof setInterval> | undefined;
  private telling: ReturnType<typeof setTimeout> | undefined;
  private reading = false;

  constructor(readonly source: Source) {}

  get state(): State | null {
    return this.view?.state ?? null;
  }

  get writes(): boolean {
    return this.view?.role != null && this.view.role !== "spectator";
  }

  async start(): Promise<void> {
    this.keeping = await Keeping.open();
    this.keeps = this.keeping.lasts;
    this.view = (await this.keeping.view(this.source.id)) ?? null;
    this.queue = await Queue.open(this.keeping, this.source, (answer) => this.acknowledged(answer), this.lost);
    addEventListener("beforeunload", this.leave);
    addEventListener("online", this.look);
    addEventListener("offline", this.lost);
    document.addEventListener("visibilitychange", this.look);
    this.timer = setInterval(this.look, AGAIN);
    await this.refresh();
    this.queue?.soon(0);
  }

  end(): void {
    removeEventListener("beforeunload", this.leave);
    removeEventListener("online", this.look);
    removeEventListener("offline", this.lost);
    document.removeEventListener("visibilitychange", this.look);
    clearInterval(this.timer);
    clearTimeout(this.telling);
    this.live?.end();
    this.queue?.end();
  }

  /** Where nothing is kept, what is not sent would be lost: the browser asks whether to stay. */
  private leave = (event: Event): void => {
    if (!this.keeps && (this.queue?.waiting.length ?? 0) > 0) event.preventDefault();
  };

  /** Nobody answers: a stream that still seems open is not believed. */
  private lost = (): void => {
    this.live?.end();
    this.live = null;
    this.listening = false;
  };

  /** Where nothing is heard, asks again. */
  private look = (): void => {
    if (document.hidden || this.listening) return;
    void this.refresh().then(() => {
      if (this.refused === null) this.queue?.soon(0);
    });
  };

  /** Reads the game as it stands, and listens from there. */
  async refresh(): Promise<void> {
    if (this.reading) return;
    this.reading = true;
    try {
      await present();
      const about = await this.source.about();
      const info = await this.source.game();
      const [page, ahead] = await Promise.all([this.source.moments(Math.max(1, info.events - RECENT + 1), RECENT), this.foretold()]);
      let state = page.before;
      for (const moment of page.moments) state = applied(state, moment);
      this.see({
        game: this.source.id,
        name: info.game,
        players: info.players ?? [],
        last: page.to,
        state,
        ...told(ahead),
        recent: page.moments,
        role: about.you?.role ?? null,
        you: about.you?.name ?? null,
      });
      this.refused = null;
      this.live?.end();
      this.live = this.source.listen(() => this.view?.last ?? 0, {
        moment: (moment) => this.grow(moment),
        reset: () => void this.refresh(),
        connected: (yes) => {
          const before = this.listening;
          this.listening = yes;
          if (yes && !before) this.queue?.soon(0);
        },
      });
    } catch (thrown) {
      this.listening = false;
      if (thrown instanceof Refusal && thrown.status === 0 && this.view) this.refused = null;
      else this.refused = sentenceOf(thrown);
    } finally {
      this.reading = false;
    }
  }

  private see(view: View): void {
    this.view = view;
    // What is shown where no server answers: a copy without what watches it.
    void this.keeping?.look(view).catch(() => undefined);
  }

  private async foretold(): Promise<Forecast | null> {
    try {
      return await this.source.ask("forecast");
    } catch {
      return null;
    }
  }

  private grow(moment: Moment): void {
    const { view } = this;
    if (!view || moment.event <= view.last) return;
    if (moment.event > view.last + 1) {
      void this.refresh();
      return;
    }
    const recent = [...view.recent, moment].slice(-RECENT);
    this.see({ ...view, last: moment.event, state: applied(view.state, moment), recent });
    clearTimeout(this.telling);
    this.telling = setTimeout(() => void this.retell(), 60);
  }

  private async retell(): Promise<void> {
    const ahead = await this.foretold();
    if (this.view && ahead) this.see({ ...this.view, ...told(ahead) });
  }

  private acknowledged(answer: Acknowledged): void {
    for (const moment of answer.moments) this.grow(moment);
    if (answer.forecast && this.view?.last === answer.last) this.see({ ...this.view, ...told(answer.forecast) });
  }
}

function told(ahead: Forecast | null): Pick<View, "forecast" | "ahead"> {
  return { forecast: ahead?.sentence ?? "", ahead };
}
