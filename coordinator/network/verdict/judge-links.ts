import type { LinkVerdict } from '../../contract/cluster-network.ts';
import { lossyDirection, retransmitShare } from './find-loss.ts';
import { loneAttempts } from './judging-limits.ts';
import { directions, type BlamedLink, type BlamedNode } from './run-verdict.ts';
import {
  isLossy,
  isOk,
  okAttempts,
  severity,
  slowDirections,
  worseDirection,
  type WeighedAttempt,
  type WeighedLink,
} from './weigh-link.ts';

interface LinkVerdictWithSeverity {
  verdict: LinkVerdict;
  /** null: nothing to suspect */
  severity: number | null;
}

/** The verdict on one link. `blamed` maps a node to the reason. */
export function judgeLink(
  link: WeighedLink,
  blamed: ReadonlyMap<number, BlamedNode['reason']>,
): LinkVerdictWithSeverity {
  const { first, source, target } = link;
  const reasons = [blamed.get(source), blamed.get(target)].filter((reason) => reason !== undefined);
  if (first === null) return { verdict: 'unmeasured', severity: null };
  const isAbsent = reasons.some((reason) => reason === 'lost' || reason === 'unreachable');
  const isFailing = reasons.includes('failing');
  if (!isOk(first)) {
    if (isAbsent || isFailing) return { verdict: 'node_blamed', severity: null };
    if (first.attempt.status === 'node_lost') return { verdict: 'unmeasured', severity: null };
    if (first.attempt.status === 'unreachable') return { verdict: 'unreachable', severity: null };
    return { verdict: suspectVerdict(link, link.threshold), severity: 0 };
  }
  const explains = reasons.some((reason) => reason === 'slow' || reason === 'latency' || reason === 'failing');
  // at a bad node, whose own rate is reduced, the threshold applies once more
  const threshold = explains ? link.threshold ** 2 : link.threshold;
  const isSlow = slowDirections(first, threshold).length > 0;
  if (!isSlow && explains) return { verdict: 'node_blamed', severity: null };
  if (!isSlow && !isLossy(first)) return { verdict: 'good', severity: null };
  return { verdict: suspectVerdict(link, threshold), severity: severity(first, link.threshold) };
}

/** The verdict on a suspect from two attempts alone on the network. */
function suspectVerdict({ first, lone }: WeighedLink, threshold: number): LinkVerdict {
  if (first === null || lone.length < loneAttempts) return 'unconfirmed';
  const suspected = isOk(first) ? slowDirections(first, threshold) : directions;
  const isSlow = (attempt: WeighedAttempt): boolean =>
    slowDirections(attempt, threshold).some((way) => suspected.length === 0 || suspected.includes(way));
  const bad = lone.filter((attempt) => !isOk(attempt) || isLossy(attempt) || isSlow(attempt));
  if (bad.length === 0) return isOk(first) ? 'contended' : 'unstable';
  if (bad.length < lone.length) return 'unstable';
  // a handshake may fail because of loss that two other attempts have measured
  if ([first, ...bad].filter(isLossy).length >= loneAttempts) return 'lossy';
  if (bad.every((attempt) => !isOk(attempt))) return isOk(first) ? 'unstable' : 'unreachable';
  return bad.some((attempt) => !isOk(attempt)) ? 'unstable' : 'slow';
}

const listed = ['slow', 'lossy', 'unstable', 'unreachable', 'unconfirmed'] as const;

/** The entry for a link that is bad or unconfirmed; null for the others. */
export function blameLink(link: WeighedLink, verdict: LinkVerdict): BlamedLink | null {
  const bad = listed.find((one) => one === verdict);
  if (bad === undefined) return null;
  const attempts = okAttempts(link).map(({ attempt }) => attempt);
  return {
    link: link.link,
    verdict: bad,
    ...worseDirection(link, bad === 'lossy' ? lossyDirection(attempts) : null),
    compared_with: link.comparedWith,
    retransmit_share: retransmitShare(attempts),
  };
}
