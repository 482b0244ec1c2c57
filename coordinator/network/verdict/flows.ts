import type { JudgedLink, JudgedNode } from './run-verdict.ts';

/** The rate that one node received from another in the rounds. */
export interface Flow {
  link: number;
  from: number;
  to: number;
  gbps: number;
}

export type Side = 'tx' | 'rx';

/** Both directions of every link that was ok in its round. */
export function flowsOf(links: readonly JudgedLink[]): Flow[] {
  return links.flatMap(({ link, source, target, attempts }) => {
    const first = attempts.find(({ attempt }) => attempt === 1);
    if (first?.status !== 'ok') return [];
    const { forward_gbps: forward, reverse_gbps: reverse } = first;
    return [
      ...(forward === null ? [] : [{ link, from: source, to: target, gbps: forward }]),
      ...(reverse === null ? [] : [{ link, from: target, to: source, gbps: reverse }]),
    ];
  });
}

/** The node whose `side` a flow measures, and the one at the other end. */
export const ownEnd = ({ from, to }: Flow, side: Side): number => (side === 'tx' ? from : to);
export const farEnd = ({ from, to }: Flow, side: Side): number => (side === 'tx' ? to : from);
export const farSide = (side: Side): Side => (side === 'tx' ? 'rx' : 'tx');

/**
 * A slower interface at the far end is not informative about this one; unknown speeds are compared with unknown ones
 * only.
 */
export function isTelling(own: JudgedNode | undefined, far: JudgedNode | undefined): boolean {
  const [ownSpeed = null, farSpeed = null] = [own?.speed_gbps, far?.speed_gbps];
  return ownSpeed === farSpeed || (ownSpeed !== null && farSpeed !== null && farSpeed > ownSpeed);
}

/** Nodes of one nominal speed. */
export const speedGroups = (nodes: readonly JudgedNode[]): JudgedNode[][] => [
  ...Map.groupBy(nodes, ({ speed_gbps }) => speed_gbps).values(),
];
