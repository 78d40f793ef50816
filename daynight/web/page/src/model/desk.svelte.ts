import { tick } from "svelte";
import type { Edit } from "../source/types";

export type Tool = "why" | "what-if" | "compare" | "first" | "parts" | "open" | "disputes" | "notes" | "links";
export type Theme = "auto" | "light" | "dark";
export type Dialog = "help" | "go";

const KEPT = { theme: "daynight.theme", letters: "daynight.letters" };

function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Then it holds until the page is left.
  }
}

/** How somebody has arranged the page: which tool lies open, which dialog, the colours, the keys. */
export class Desk {
  tool = $state<Tool>("why");
  dialog = $state<Dialog | null>(null);
  theme = $state<Theme>((kept(KEPT.theme) as Theme | null) ?? "auto");
  /** Whether single letters are keys. */
  letters = $state(kept(KEPT.letters) !== "off");
  /** The moment that is marked for a comparison. */
  marked = $state<number | null>(null);
  /** The permanent whose reasons are shown. */
  permanent = $state<string | null>(null);
  /** What is said once, in the corner: an address was copied. */
  told = $state("");
  /** The edits that somebody wants to try, as the what-if's form takes them over. */
  edits = $state.raw<Edit[] | null>(null);

  use(tool: Tool): void {
    this.tool = tool;
  }

  /** Opens a tool from elsewhere: the focus goes to its heading. */
  async show(tool: Tool): Promise<void> {
    this.tool = tool;
    await tick();
    document.getElementById("tool-title")?.focus();
  }

  /** Opens the reasons of a permanent. */
  async explain(permanent: string): Promise<void> {
    this.permanent = permanent;
    await this.show("why");
  }

  colour(theme: Theme): void {
    this.theme = theme;
    keep(KEPT.theme, theme);
    this.dress();
  }

  dress(): void {
    if (this.theme === "auto") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.setAttribute("data-theme", this.theme);
  }

  lettered(yes: boolean): void {
    this.letters = yes;
    keep(KEPT.letters, yes ? "on" : "off");
  }

  tell(sentence: string): void {
    this.told = sentence;
    setTimeout(() => {
      if (this.told === sentence) this.told = "";
    }, 4_000);
  }
}
