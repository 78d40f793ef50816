import type { Consequence, Count, Designation, Face, Finding, State } from "../source/types";
import { told } from "../plain/values";
import { inLanguage } from "./cards";

export { isPrinted } from "./cards";
import { listed, t } from "./speech.svelte";

/** The words for a state. */

export function designationWord(designation: Designation | null): string {
  if (designation === null) return t("uncertain");
  return { neither: t("neither day nor night"), day: t("day"), night: t("night") }[designation];
}

/** The headline of a state: day, night, neither, or what is possible. */
export function headline(state: State): string {
  if (state.designation === null && state.possible) {
    const words = state.possible.map((one) => designationWord(one));
    return new Intl.ListFormat(document.documentElement.lang || "en", { type: "disjunction" }).format(words);
  }
  return designationWord(state.designation ?? null);
}

export function faceWord(face: Face | null): string {
  return face === null ? t("uncertain") : { front: t("front face"), back: t("back face") }[face];
}

export function keywordWord(keyword: string): string {
  return { daybound: t("daybound"), nightbound: t("nightbound") }[keyword] ?? keyword;
}

export function stepWord(step: string | null | undefined): string {
  const words: Record<string, string> = {
    untap: t("untap step"),
    upkeep: t("upkeep"),
    draw: t("draw step"),
    "precombat-main": t("precombat main phase"),
    "beginning-of-combat": t("beginning of combat"),
    "declare-attackers": t("declare attackers step"),
    "declare-blockers": t("declare blockers step"),
    "combat-damage": t("combat damage step"),
    "end-of-combat": t("end of combat"),
    "postcombat-main": t("postcombat main phase"),
    end: t("end step"),
    cleanup: t("cleanup step"),
  };
  return step ? (words[step] ?? step) : t("beginning");
}

export function countWord(count: Count): string {
  if (typeof count === "number") return String(count);
  if (count.at_most === null) return t("{n} or more", { n: count.at_least });
  return t("{least} to {most}", { least: count.at_least, most: count.at_most });
}

export function verdictWord(verdict: string | null | undefined): string {
  const words: Record<string, string> = {
    disputed: t("disputed"),
    exact: t("exact"),
    unverified: t("unverified"),
  };
  return verdict ? (words[verdict] ?? verdict) : "";
}

/** Whether a claim is right. In an application that is read as it is, claims are compared with its events, by no rules. */
export function claimWord(verdict: "agrees" | "differs" | "open", adopted = false): string {
  if (adopted && verdict !== "open") return verdict === "agrees" ? t("the events agree") : t("the events say otherwise");
  return {
    agrees: t("the rules agree"),
    differs: t("the rules say otherwise"),
    open: t("the record leaves it open"),
  }[verdict];
}

/** The name of a card in the language of the page, if it is known. */
export function cardWord(card: string): string {
  return inLanguage(card);
}

/** The subject of a claim: a face, the number of spells of a player, or the claimed designation. */
export function subjectWord(one: Finding, card?: string): string {
  if (one.about === "face") return t("the face of {card}", { card: card || String(one.subject) });
  if (one.about === "tally") return t("the spells of {player}", { player: String(one.subject) });
  const designation = designationWord((one.claimed as Designation | null) ?? null);
  return one.about === "ruling" ? t("the ruling “{designation}”", { designation }) : t("the claim “{designation}”", { designation });
}

/** What followed from an event; for another mechanic, in its own words. */
export function consequenceWord(one: Consequence, state: State | undefined): string {
  if (typeof one.sentence === "string") return one.sentence;
  const called = (id: unknown): string => {
    const there = state?.battlefield?.find((each) => each.permanent === id);
    return cardWord(there?.name ?? there?.card ?? String(id));
  };
  const names = listed((Array.isArray(one.permanents) ? one.permanents : [one.permanent ?? ""]).map(called));
  switch (one.type) {
    case "changed":
      return { day: t("it becomes day"), night: t("it becomes night") }[String(one.became)] ?? designationWord("neither");
    case "transformed":
      return t("{names}: {face}", { names, face: faceWord((one.face as Face | undefined) ?? null) });
    case "entered-transformed":
      return t("{names}: enters with its back face up", { names });
    case "refused":
      return t("{names}: does not transform", { names });
    case "triggered":
      return t("{names}: triggers", { names });
    case "put-on-stack":
      return t("what triggered is put on the stack");
    case "phased-back":
      return t("{names}: phases in", { names });
    case "restored":
      return t("the game is as it was then");
    default:
      return [one.type, one.permanent, one.part, one.subject].filter((word) => typeof word === "string").join(" ");
  }
}

/** The place in the game: "turn 3, Ana, untap step". */
export function placeWord(state: State): string {
  if (state.turn === undefined) return "";
  if (!state.turn) return t("before the first turn");
  const turn = t("turn {turn}", { turn: state.turn });
  const active = state.active && state.active.length > 0 ? ` · ${listed(state.active)}` : "";
  return `${turn}${active} · ${stepWord(state.step)}`;
}

/** The value that was claimed or derived: a designation, a face, a number, or a value of another mechanic. */
export function valueWord(value: unknown): string {
  if (value === null || value === undefined) return t("uncertain");
  if (value === "day" || value === "night" || value === "neither") return designationWord(value);
  if (value === "front" || value === "back") return faceWord(value);
  if (typeof value === "object" && "at_least" in value) return countWord(value as Count);
  return told(value);
}
