import { tick } from "svelte";
import type { Edit } from "../source/types";

export type Tool = "why" | "what-if" | "compare" | "first" | "parts" | "open" | "disputes" | "notes" | "links";
/** The tools that lie open beside the log; each other question is folded inside one of them. */
export type Tab = "why" | "what-if" | "disputes" | "notes" | "links";
export type Theme = "auto" | "light" | "dark";
export type Dialog = "help" | "go" | "times";

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
    // Not stored then: the choice holds until the page is left.
  }
}

const FOLDED: Partial<Record<Tool, Tab>> = { open: "why", parts: "why", compare: "what-if", first: "what-if" };

/** The tab that a question belongs to. */
export function tabOf(tool: Tool): Tab {
  return FOLDED[tool] ?? (tool as Tab);
}

/** How the reader has arranged the page: the open tool, the open dialog, the colours, the keys. */
export class Desk {
  tool = $state<Tool>("why");
  /** The question that is unfolded in its tab. */
  unfolded = $state<Tool[]>([]);
  dialog = $state<Dialog | null>(null);
  theme = $state<Theme>((kept(KEPT.theme) as Theme | null) ?? "auto");
  /** Whether single letters work as keys. */
  letters = $state(kept(KEPT.letters) !== "off");
  /** The moment that is marked for a comparison. */
  marked = $state<number | null>(null);
  /** The permanent whose reasons are shown. */
  permanent = $state<string | null>(null);
  /** The event of the claim whose possible corrections are shown. */
  mending = $state<number | null>(null);
  /** A short message in the corner, shown once: an address was copied. */
  told = $state("");
  /** The edits that the what-if form takes over. */
  edits = $state.raw<Edit[] | null>(null);

  use(tool: Tool): void {
    this.tool = tool;
  }

  /** Opens a tool from elsewhere and focuses its heading. */
  async show(tool: Tool): Promise<void> {
    this.tool = tool;
    const folded = tool in FOLDED;
    if (folded) this.fold(tool, true);
    await tick();
    document.getElementById(folded ? `fold-${tool}` : "tool-title")?.focus();
  }

  /** Unfolds a question in its tab, or folds it. */
  fold(tool: Tool, open: boolean): void {
    if (open !== this.unfolded.includes(tool)) {
      this.unfolded = open ? [...this.unfolded, tool] : this.unfolded.filter((one) => one !== tool);
    }
  }

  /** Opens the reasons of a permanent. */
  async explain(permanent: string): Promise<void> {
    this.permanent = permanent;
    await this.show("why");
  }

  /** Opens the corrections of the claim at an event; null closes them. */
  async mend(event: number | null): Promise<void> {
    this.mending = event;
    if (event === null) return;
    this.tool = "why";
    await tick();
    document.getElementById("mends-title")?.focus();
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
