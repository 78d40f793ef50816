import type { Debugger } from "../model/debugger.svelte";
import { still } from "./motion";

/** How long a moment is shown while it plays. */
const PACE = 700;

/** Goes from event to event by itself, until the end; never where little motion is asked for. */
export class Player {
  playing = $state(false);
  private timer: ReturnType<typeof setInterval> | undefined;

  play(game: Debugger): void {
    if (still() || this.playing || !game.past) return;
    this.playing = true;
    this.timer = setInterval(() => {
      game.seek(game.at + 1);
      if (!game.past) this.pause();
    }, PACE);
  }

  pause(): void {
    this.playing = false;
    clearInterval(this.timer);
  }
}
