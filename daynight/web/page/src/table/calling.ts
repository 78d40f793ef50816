import type { View } from "../queue/keeping";
import type { Source } from "../source/source";

/** Events about the record, not the game: a call for a judge is never about one of them. */
export const OF_THE_RECORD = /^(dispute-|note-added)/;

/**
 * Calls a judge about the last event of the game; says whether one was already called about it. The id of the
 * command is the same on every phone, so that two calls at once open one dispute.
 */
export async function call(source: Source, view: View): Promise<boolean> {
  const last = view.recent.findLast((one) => !OF_THE_RECORD.test(one.record.type));
  const about = last?.event ?? view.last;
  const head = last ? last.head : view.head;
  const { disputes } = await source.ask("disputes");
  const same = disputes.filter((one) => one.about === about);
  if (same.some((one) => one.status !== "closed")) return true;
  const answer = await source.act("disputes", { command: `judge/${about}/${same.length}`, about, ...(head && { head }) });
  return answer.repeated;
}
