/** How long the stream may be closed before the reader is told that the game may have gone on. */
const SILENT = 2_500;

/** The connection to a game that grows. */
export class Connection {
  /** Whether the stream is open. */
  open = $state(false);
  /** Whether it has been closed for a while, although the page is shown: the game may have gone on without it. */
  silent = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** The stream has been opened, or closed; it is heard again at each attempt that fails. */
  hear(open: boolean): void {
    if (open) this.forget();
    this.open = open;
    if (open || this.silent || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.silent = !document.hidden;
    }, SILENT);
  }

  /** Nothing is listened to. */
  forget(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.open = this.silent = false;
  }
}
