import { loneAttempts } from './judge-links.ts';

/** Links measured again alone: each costs two slots in which nothing else runs. */
const MAX_RETESTS = 24;
/** Of these, links that failed: a switch that is off must not keep every slow link from its turn. */
const MAX_FAILED = MAX_RETESTS / 2;

export interface Suspect {
  link: number;
  /** 0: failed; the less the worse */
  severity: number;
  /** attempts alone so far, also those that told nothing */
  attempts: number;
}

/** Suspects still to be measured alone, worst first, so that with those already measured there are at most 24. */
export function pickRetests(suspects: readonly Suspect[], alreadyTested: number): number[] {
  const worstFirst = suspects.toSorted((a, b) => a.severity - b.severity || a.link - b.link);
  const begun = worstFirst.filter(({ attempts }) => attempts > 0 && attempts < loneAttempts);
  const fresh = worstFirst.filter(({ attempts }) => attempts === 0);
  const failed = fresh.filter(({ severity }) => severity === 0);
  const slow = fresh.filter(({ severity }) => severity > 0);
  const room = Math.max(0, MAX_RETESTS - alreadyTested);
  const share = Math.max(MAX_FAILED, room - slow.length);
  const picked = [...failed.slice(0, share), ...slow].slice(0, room);
  return [...begun, ...picked].map(({ link }) => link);
}
