import type { Moment, Permanent, State } from "../source/types";

/**
 * The state after a moment: that before it with what the moment's delta says. A member that the delta has is put whole
 * in place of the old one; of the battlefield, what is in `left` goes, what is there is put in its place, and what is
 * new comes after it. Nothing that was handed in is changed, and what stays is shared.
 */
export function applied(before: State | null, moment: Moment): State {
  if (moment.state) return moment.state;
  const { left, battlefield, policy, ...members } = moment.delta ?? { event: moment.event };
  const after: State = { ...(before ?? {}), ...members };
  // Null is a value of the other members; a policy there is, or there is none.
  if (policy === null) delete after.policy;
  else if (policy !== undefined) after.policy = policy;
  if (left || battlefield) after.battlefield = arranged(before?.battlefield ?? [], left ?? [], battlefield ?? []);
  return after;
}

function arranged(before: readonly Permanent[], left: readonly string[], changed: readonly Permanent[]): Permanent[] {
  const gone = new Set(left);
  const news = new Map(changed.map((one) => [one.permanent, one]));
  const after: Permanent[] = [];
  for (const one of before) {
    if (gone.has(one.permanent)) continue;
    after.push(news.get(one.permanent) ?? one);
    news.delete(one.permanent);
  }
  after.push(...news.values());
  return after;
}
