import { jointEngine, notCompared } from '../../coordinator/contract/matrix-engine.ts';
import { judgePeers } from '../../coordinator/contract/judge-peers.ts';
import type { Figure, Finding } from './judge-figures.ts';

/** One figure of one card among the cards of its model in the node. */
export interface PeerFigure {
  device_id: string;
  figure: Figure;
  value: number;
}

/**
 * One metric of the cards of one model beside the median of those that the same engine measured. A card without such a
 * peer is not compared, with the sentence why: the difference of two programs would pass for that of two cards.
 */
export function judgePeerGroup(
  cards: readonly PeerFigure[],
  better: 'higher' | 'lower',
): { device_id: string; finding: Finding }[] {
  const groups = [...Map.groupBy(cards, ({ figure }) => figure.engine).values()];
  return groups.flatMap((group) => {
    const others = cards.filter((card) => !group.includes(card));
    if (group.length === 1 && others.length > 0)
      return group.map((card) => ({ device_id: card.device_id, finding: refusal(card, others) }));
    const judged = judgePeers(
      group.map(({ value }) => value),
      better,
    );
    return group.flatMap(({ device_id, figure: { metric } }, index) => {
      const { verdict = 'ok', rule = '' } = judged[index] ?? {};
      const reason = verdict === 'ok' ? null : rule;
      return group.length < 2 ? [] : [{ device_id, finding: { metric, verdict, rule: 'peers', reason } }];
    });
  });
}

function refusal({ figure }: PeerFigure, others: readonly PeerFigure[]): Finding {
  const there = jointEngine(others.flatMap((other) => other.figure.engine ?? [])) ?? 'mixed';
  const reason = notCompared('the other cards of this model', figure.engine ?? 'mixed', there);
  return { metric: figure.metric, verdict: 'ok', rule: 'peers', reason, refused: true };
}
