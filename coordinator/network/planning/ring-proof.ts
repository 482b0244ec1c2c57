import type { LinkRow } from '../results/link-row.ts';

type Check = Pick<LinkRow, 'source' | 'target' | 'status'>;

/**
 * Whether the checks prove a transport for the nodes that are alive: none of theirs failed, and each of them took part in one
 * that worked. A node that died in the meantime says nothing of the transport.
 */
export function ringProof(
  checks: readonly Check[],
  live: readonly number[],
): { proven: boolean; failed: Check | null } {
  const alive = new Set(live);
  const theirs = checks.filter(({ source, target }) => alive.has(source) && alive.has(target));
  const failed = theirs.find(({ status }) => status !== 'ok') ?? null;
  const worked = new Set(theirs.flatMap(({ source, target, status }) => (status === 'ok' ? [source, target] : [])));
  return { proven: failed === null && live.length > 0 && live.every((node) => worked.has(node)), failed };
}
