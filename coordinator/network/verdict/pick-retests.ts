import { loneAttempts } from './judging-limits.ts';

/** Links measured again alone: each costs two slots in which nothing else runs. */
const MAX_RETESTS = 24;
/** Of these, links that failed: a switch that is off must not keep every slow link from its turn. */
const MAX_FAILED = MAX_RETESTS / 2;

export interface Suspect {
  link: number;
  /** 0: failed; the less the worse */
  severity: number;
}

/**
 * Links still to be measured alone, so that with the `tested` ones there are at most 24: first those that tell whether a
 * blamed node is slow by itself, then suspects, the worst first. `attempts`: alone so far, also those that told nothing.
 */
export function pickRetests(
  nodeLinks: readonly number[],
  suspects: readonly Suspect[],
  attempts: ReadonlyMap<number, number>,
): number[] {
  const worst = suspects.toSorted((a, b) => a.severity - b.severity || a.link - b.link).map(({ link }) => link);
  const failed = suspects.flatMap(({ link, severity }) => (severity === 0 ? link : [])).toSorted((a, b) => a - b);
  const beyond = new Set(
    failed.slice(Math.max(MAX_FAILED, MAX_RETESTS - nodeLinks.length - (worst.length - failed.length))),
  );
  const inOrder = [...new Set([...nodeLinks, ...worst.filter((link) => !beyond.has(link))])];
  const attemptsOf = (link: number): number => attempts.get(link) ?? 0;
  const begun = inOrder.filter((link) => attemptsOf(link) > 0 && attemptsOf(link) < loneAttempts);
  const room = Math.max(0, MAX_RETESTS - attempts.size);
  return [...begun, ...inOrder.filter((link) => attemptsOf(link) === 0).slice(0, room)];
}
