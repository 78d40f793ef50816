import { flushSync } from "svelte";

/** Whether the page is being printed: what depends on it is drawn anew before the browser looks. */
export class Paper {
  printing = $state(false);

  /** Listens until the returned function is called. */
  heed(): () => void {
    const paper = matchMedia("print");
    const draw = (printing: boolean): void => {
      flushSync(() => (this.printing = printing));
    };
    const look = (): void => draw(paper.matches);
    const begin = (): void => draw(true);
    paper.addEventListener("change", look);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", look);
    return () => {
      paper.removeEventListener("change", look);
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", look);
    };
  }
}
