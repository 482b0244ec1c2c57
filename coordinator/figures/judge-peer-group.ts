import { otherArithmetic } from '../contract/arithmetic.ts';
import type { Finding, JudgedFigure } from './judge-figure.ts';
import { judgePeers } from './judge-peers.ts';
import { jointEngine, notCompared } from '../contract/matrix-engine.ts';

/** One figure of one card among the cards of its model in the node. */
export interface PeerFigure {
  figure: JudgedFigure;
  value: number;
}

/**
 * One metric of the cards of one model beside the median of those that the same engine measured in the same arithmetic. A
 * card without such a peer is not compared, with the sentence why: the difference of two programs would pass for that of
 * two cards.
 */
export function judgePeerGroup<T extends PeerFigure>(
  cards: readonly T[],
  better: 'higher' | 'lower',
): { card: T; finding: Finding }[] {
  const groups = [...Map.groupBy(cards, ({ figure }) => `${figure.engine} ${figure.arithmetic ?? ''}`).values()];
  return groups.flatMap((group) => {
    const others = cards.filter((card) => !group.includes(card));
    if (group.length === 1 && others.length > 0) return group.map((card) => ({ card, finding: refusal(card, others) }));
    const judged = judgePeers(
      group.map(({ value }) => value),
      better,
    );
    return group.flatMap((card, index) => {
      const { verdict = 'ok', rule = '' } = judged[index] ?? {};
      const reason = verdict === 'ok' ? null : rule;
      return group.length < 2
        ? []
        : [{ card, finding: { metric: card.figure.metric, verdict, rule: 'peers', reason } }];
    });
  });
}

function refusal({ figure }: PeerFigure, others: readonly PeerFigure[]): Finding {
  const here = figure.arithmetic ?? null;
  const theirs = others.map((other) => other.figure.arithmetic ?? null);
  const [another = null] = theirs;
  if (!theirs.includes(here)) {
    const reason = otherArithmetic('the other cards of this model', here, another);
    return { metric: figure.metric, verdict: 'ok', rule: 'peers', reason, refused: true };
  }
  const there = jointEngine(others.flatMap((other) => other.figure.engine ?? [])) ?? 'mixed';
  const reason = notCompared('the other cards of this model', figure.engine ?? 'mixed', there);
  return { metric: figure.metric, verdict: 'ok', rule: 'peers', reason, refused: true };
}
