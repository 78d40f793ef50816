import { applied } from "../model/deltas";
import type { Listening } from "../source/live";
import { Refusal, sentenceOf } from "../source/refusal";
import { present } from "../source/session";
import type { Source } from "../source/source";
import type { Acknowledged, Answers, GameInfo, Moment, MomentPage, State } from "../source/types";
import { Keeping, type Unsent, type View } from "../queue/keeping";
import { Queue } from "../queue/queue.svelte";
import { OF_THE_RECORD } from "./calling";

type Forecast = Answers["forecast"];

const RECENT = 30;
const AGAIN = 2_000;

/** A seat at the table: the current game, shown as last seen until the server answers. */
export class Seat {
  view = $state.raw<View | null>(null);
  queue = $state.raw<Queue | null>(null);
  /** Whether the server answers. */
  listening = $state(false);
  refused = $state<string | null>(null);
  /** Whether another game has replaced the one that was shown here. */
  other = $state(false);
  /** Whether commands made here outlive the page. */
  keeps = $state(true);
  private keeping: Keeping | null = null;
  private live: Listening | null = null;
  private timer: ReturnType<typeof setInterval> | undefined;
  private telling: ReturnType<typeof setTimeout> | undefined;
  private reading = false;
  /** Whether to read the game once more, because something happened during the reading. */
  private again = false;

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
    const identity = this.view?.identity ?? null;
    this.queue = await Queue.open(this.keeping, this.source, identity, { heard: this.acknowledged, lost: this.lost, moved: () => void this.refresh() });
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

  /** If nothing can be kept, unsent commands would be lost: the browser asks before it leaves the page. */
  private leave = (event: Event): void => {
    if (!this.keeps && (this.queue?.waiting.length ?? 0) > 0) event.preventDefault();
  };

  /** The server does not answer: a stream that still seems open is closed. */
  private lost = (): void => {
    this.live?.end();
    this.live = null;
    this.listening = false;
  };

  /** Polls the server while no stream is open. */
  private look = (): void => {
    if (document.hidden || this.listening) return;
    void this.refresh().then(() => {
      if (this.refused === null) this.queue?.soon(0);
    });
  };

  /** Reads the current game, and listens from there. */
  async refresh(): Promise<void> {
    if (this.reading) {
      this.again = true;
      return;
    }
    this.reading = true;
    try {
      await present();
      const about = await this.source.about();
      if (about.mechanic) {
        // Records of another mechanic have no table: their page opens.
        location.replace(`/g/${this.source.id}`);
        return;
      }
      const { info, page } = await this.read();
      const ahead = await this.foretold();
      if (this.view?.identity && this.view.identity !== info.identity) this.other = true;
      await this.queue?.bind(info.identity);
      let state = page.before;
      for (const moment of page.moments) state = applied(state, moment);
      this.see({
        game: this.source.id,
        name: info.game,
        identity: info.identity,
        players: info.players ?? [],
        left: info.left ?? [],
        last: page.to,
        head: page.moments.at(-1)?.head ?? info.head,
        ...(info.events === page.to && { undoable: info.undoable }),
        state,
        ...told(ahead),
        recent: page.moments,
        role: about.you?.role ?? null,
        you: about.you?.name ?? null,
        ...(about.you?.rules && { rules: true }),
      });
      this.refused = null;
      this.live?.end();
      this.live = this.source.listen(() => ({ after: this.view?.last ?? 0, identity: this.view?.identity, head: this.view?.head }), {
        moment: (moment) => this.grow(moment),
        reset: () => void this.refresh(),
        connected: (yes) => {
          const before = this.listening;
          this.listening = yes;
          if (yes && !before) this.queue?.answers();
        },
      });
    } catch (thrown) {
      this.listening = false;
      if (thrown instanceof Refusal && thrown.status === 0 && this.view) this.refused = null;
      else this.refused = sentenceOf(thrown);
    } finally {
      this.reading = false;
      if (this.again) {
        this.again = false;
        void this.refresh();
      }
    }
  }

  /** The facts about the game and its last moments, all from one game: another may replace it during the requests. */
  private async read(): Promise<{ info: GameInfo; page: MomentPage }> {
    for (;;) {
      const before = await this.source.game();
      const page = await this.source.moments(Math.max(1, before.events - RECENT + 1), RECENT);
      const info = await this.source.game();
      if (info.identity === before.identity) return { info, page };
    }
  }

  private see(view: View): void {
    this.view = view;
    // What is shown while no server answers: a copy that is not reactive.
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
    if (moment.event > view.last + 1 || (moment.before !== undefined && moment.before !== view.head)) {
      void this.refresh();
      return;
    }
    const recent = [...view.recent, moment].slice(-RECENT);
    const { undoable, ...rest } = view;
    const known = OF_THE_RECORD.test(moment.record.type) ? { undoable } : {};
    const gone = moment.record.type === "player-left" ? { left: [...(view.left ?? []), String(moment.record.player)] } : {};
    this.see({ ...rest, ...known, ...gone, last: moment.event, head: moment.head ?? "", state: applied(view.state, moment), recent });
    clearTimeout(this.telling);
    this.telling = setTimeout(() => void this.retell(), 60);
  }

  private async retell(): Promise<void> {
    const [ahead, info] = await Promise.all([this.foretold(), this.source.game().catch(() => null)]);
    const { view } = this;
    if (!view) return;
    const same = info !== null && info.identity === view.identity && info.head === view.head;
    this.see({ ...view, ...(ahead && told(ahead)), ...(same && { undoable: info.undoable, left: info.left ?? [] }) });
  }

  private acknowledged = (answer: Acknowledged, one: Unsent | null): void => {
    for (const moment of answer.moments ?? []) this.grow(moment);
    if (answer.moments === null) void this.refresh();
    const { view } = this;
    if (view?.last !== answer.last) return;
    const undoable = one && { command: one.id, by: view.you ?? view.role ?? "", first: answer.first, last: answer.last, sentence: one.says };
    this.see({ ...view, ...(answer.forecast && told(answer.forecast)), ...(undoable && { undoable }) });
  };
}

function told(ahead: Forecast | null): Pick<View, "forecast" | "ahead"> {
  return { forecast: ahead?.sentence ?? "", ahead };
}
