import type { Moment, Permanent, State } from "../source/types";

/**
 * The state after a moment: the state before it, changed by the moment's delta. A member of the delta replaces the old
 * member as a whole. On the battlefield, the permanents in `left` go, known ones are replaced where they are, and new
 * ones are appended. The arguments are not changed, and what stays the same is shared.
 */
export function applied(before: State | null, moment: Moment): State {
  if (moment.state) return moment.state;
  const { left, battlefield, policy, ...members } = moment.delta ?? { event: moment.event };
  const after: State = { ...(before ?? {}), ...members };
  // Null is a valid value of the other members; a policy either exists or does not.
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
