import type { Debugger } from "../model/debugger.svelte";
import { still } from "./motion";

/** How long each moment is shown while playing. */
const PACE = 700;

/** Plays the game event by event until the end; never if reduced motion is asked for. */
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
