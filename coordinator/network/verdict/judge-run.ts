import { orNull, quantile } from '../../figures/statistics.ts';
import { type Cleared, clearNodes } from './clear-nodes.ts';
import { expectedRates, type ExpectedRates } from './expected-rates.ts';
import { findFailingNodes } from './find-failing-nodes.ts';
import { findLateNodes, latenciesOf } from './find-late-nodes.ts';
import { lossAgainst } from './find-loss.ts';
import { blamedSides, blameSlow, findSlowSides } from './find-slow-nodes.ts';
import { type Flow, flowsOf } from './flows.ts';
import { blameLink, judgeLink } from './judge-links.ts';
import { loneAttempts } from './judging-limits.ts';
import { type Blamed, capability, ratesOrAll } from './node-rates.ts';
import type { BlamedNode, JudgedLink, NodeFigures, RunJudgement, RunToJudge } from './run-verdict.ts';
import { severity, weighLink } from './weigh-link.ts';

/**
 * Finds the bad nodes and links of a run from the measurements so far. Called after the rounds, to choose the links to
 * measure again alone (`retests`), and after those for the final verdicts. Deterministic.
 */
export function judgeRun(run: RunToJudge): RunJudgement {
  const { nodes, links } = run;
  const flows = flowsOf(links);
  const failing = findFailingNodes(links, nodes);
  const excluded = new Set(failing.map(({ node }) => node));
  const late = findLateNodes(links, nodes, excluded);
  const found = findSlowSides(flows, nodes, excluded);
  const others = new Set([...excluded, ...late.map(({ node }) => node)]);
  const cleared = clearNodes(found, { nodes, links, flows, blamed: blamedSides(found, others) });
  const bad = [...failing, ...moreTelling(blameSlow(cleared.slow), late)];
  const blamed = blamedSides(cleared.slow, others);
  return {
    nodes: nodeFigures(run, flows, blamed),
    bad_nodes: bad,
    ...judgeLinks(run, {
      expected: expectedRates(flows, nodes, blamed, cleared.contended),
      cleared,
      reasons: new Map(bad.map(({ node, reason }) => [node, reason])),
    }),
  };
}

/**
 * Keeps one entry per node: a far node's bandwidth suffers from its delay, a slow node's delay hardly from its speed.
 */
function moreTelling(slow: readonly BlamedNode[], late: readonly BlamedNode[]): BlamedNode[] {
  const farOff = ({ reason, factor }: BlamedNode): number => (reason === 'slow' ? 1 / (factor ?? 1) : (factor ?? 1));
  const byNode = Map.groupBy([...slow, ...late], ({ node }) => node);
  return [...byNode.values()].map((entries) => entries.reduce((a, b) => (farOff(b) > farOff(a) ? b : a)));
}

type LinksJudged = Omit<RunJudgement, 'nodes' | 'bad_nodes'>;

interface NodesJudged {
  expected: ExpectedRates;
  cleared: Cleared;
  /** by blamed node */
  reasons: ReadonlyMap<number, BlamedNode['reason']>;
}

function judgeLinks({ links, transport }: RunToJudge, { expected, cleared, reasons }: NodesJudged): LinksJudged {
  const measure = { expected, loss: lossAgainst(links), transport };
  const judged = links.map((link) => {
    const weighed = weighLink(link, measure);
    return { link, weighed, ...judgeLink(weighed, reasons) };
  });
  const worstFirst = judged
    .flatMap(({ weighed, verdict }) => {
      const entry = blameLink(weighed, verdict);
      const unsure = verdict === 'unconfirmed' ? 1 : 0;
      return entry ? [{ entry, unsure, order: weighed.first ? severity(weighed.first, weighed.threshold) : 0 }] : [];
    })
    .toSorted((a, b) => a.unsure - b.unsure || a.order - b.order || a.entry.link - b.entry.link);
  const suspects = judged.flatMap(({ link: { link }, severity }) => (severity === null ? [] : [{ link, severity }]));
  const lone = links.map((link): [number, number] => [link.link, loneOf(link)]).filter(([, attempts]) => attempts > 0);
  return {
    bad_links: worstFirst.map(({ entry }) => entry),
    contended_links: judged.flatMap(({ link, verdict }) => (verdict === 'contended' ? link.link : [])),
    unconfirmed_links: judged.filter(({ verdict }) => verdict === 'unconfirmed').length,
    links: new Map(
      judged.map(({ link, verdict, weighed: { expected } }) => [
        link.link,
        {
          verdict,
          expected_forward_gbps: expected.forward?.gbps ?? null,
          expected_reverse_gbps: expected.reverse?.gbps ?? null,
          expected_forward_rates: expected.forward?.rates ?? null,
          expected_reverse_rates: expected.reverse?.rates ?? null,
        },
      ]),
    ),
    retests: pickRetests(cleared.retests, suspects, new Map(lone)),
  };
}

const loneOf = ({ attempts }: JudgedLink): number => attempts.filter(({ attempt }) => attempt > 1).length;

/** Each node's rates: from its links to good nodes at least as fast if there are three, else from all. */
function nodeFigures({ nodes, links }: RunToJudge, flows: readonly Flow[], blamed: Blamed): NodeFigures[] {
  const tx = ratesOrAll(flows, nodes, 'tx', blamed, 3);
  const rx = ratesOrAll(flows, nodes, 'rx', blamed, 3);
  const latencies = latenciesOf(links, nodes, new Set());
  const figures = nodes.map((_, seat) => ({
    tx_gbps: capability(tx[seat] ?? []),
    rx_gbps: capability(rx[seat] ?? []),
    latency_us: orNull(quantile(latencies[seat] ?? [], 0.5)),
    links_ok: 0,
    links_failed: 0,
  }));
  for (const { source, target, attempts } of links) {
    const first = attempts.find(({ attempt }) => attempt === 1);
    for (const own of first ? [figures[source], figures[target]] : []) {
      if (own) own[first?.status === 'ok' ? 'links_ok' : 'links_failed'] += 1;
    }
  }
  return figures;
}

/** Maximum number of links measured again alone: each takes two slots in which nothing else runs. */
const MAX_RETESTS = 24;
/** Maximum number of failed links among them: a switch that is off must not displace every slow link. */
const MAX_FAILED = MAX_RETESTS / 2;

interface Suspect {
  link: number;
  /** 0: failed; lower is worse */
  severity: number;
}

/**
 * The links still to be measured alone, at most 24 together with those in `attempts`: first those begun, then those that
 * show whether a blamed node itself is slow, then suspects, worst first. `attempts`: the number of attempts alone so far
 * by link, including inconclusive ones.
 */
function pickRetests(
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
