import type { Answers, Designation } from "../source/types";
import { designationWord } from "../words/game";
import { counted, listed, t } from "../words/speech.svelte";

type Forecast = Answers["forecast"];
type Outcome = Forecast["outcomes"][number];

const LONGEST = 16;

/** A name, shortened to fit beside others in a line. */
export function short(name: string): string {
  const letters = [...name];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : name;
}

/** The forecast for the next untap step in one line: how many more spells change it, and what happens if nobody casts any. */
export function line(now: Forecast): string {
  const { outcomes } = now;
  const none = outcomes.filter((one) => one.casts === 0);
  if (none.length === 0) return "";
  const idle = only(none);
  const [fewest] = outcomes.filter((one) => one.casts > 0 && !same(one, none[0])).sort((a, b) => a.casts - b.casts);
  if (idle === null) return t("the next untap step leaves it open");
  if (!fewest) return idle === now.designation ? t("it stays {designation}, whatever is cast", { designation: designationWord(idle) }) : t("it becomes {designation} next, whatever is cast", { designation: designationWord(idle) });
  const became = only([fewest]);
  const able = outcomes.filter((one) => one.casts === fewest.casts && same(one, fewest)).map((one) => short(one.player ?? ""));
  const more = { n: fewest.casts, player: listed([...new Set(able)]), designation: designationWord(became) };
  if (became === null) return counted("{n} more spell by {player} leaves it open", "{n} more spells by {player} leave it open", fewest.casts, more);
  if (became === now.designation) return counted("{n} more spell by {player} keeps it {designation}", "{n} more spells by {player} keep it {designation}", fewest.casts, more);
  return counted("{n} more spell by {player} makes it {designation}", "{n} more spells by {player} make it {designation}", fewest.casts, more);
}

function same(one: Outcome, other: Outcome | undefined): boolean {
  return one.possible.join() === other?.possible.join();
}

/** The common result of all of these; null if they differ. */
function only(some: Outcome[]): Designation | null {
  return some.every((one) => same(one, some[0])) ? (some[0]?.designation ?? null) : null;
}
