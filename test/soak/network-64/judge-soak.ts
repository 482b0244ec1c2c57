import type { LinkMeasurement } from '../../../coordinator/contract/cluster-network.ts';
import { findings, firstAttempts, isBetween, linkFactor, nodeFactor } from '../../e2e/network/findings.ts';
import type { Fabric } from '../../support/netns-lab/make-fabric.ts';
import { expectedLinks, expectedNodes } from './faults.ts';
import type { SoakRun } from './run-soak.ts';

const MOST_TIME = 1.05;
const FACTOR_TOLERANCE = 0.05;
const HARM_TOLERANCE = 0.02;

export interface SoakRow {
  variant: string;
  links: number;
  missing: number;
  ok: number;
  failed: Record<string, number>;
  retests: number;
  rounds_s: number;
  slots_s: number;
  ratio: number;
  named: string[];
  /** mean rate of links while strangers connected, divided by that of the other links */
  beside_strangers: number | null;
  strangers: SoakRun['strangers'];
  seconds: number;
  failures: string[];
}

/** Figures of one run, and everything in it that is not as expected. */
export function judgeSoak(variant: string, fabric: Fabric, run: SoakRun, faulty: boolean): SoakRow {
  const { network } = run.result;
  const links = firstAttempts(run.result);
  const planned = network.graph.kind === 'full' ? (64 * 63) / 2 : (64 * (network.graph.degree ?? 0)) / 2;
  const slots_s = network.graph.rounds * network.slot_seconds;
  const rounds_s = network.rounds_s ?? Number.NaN;
  const row = {
    variant,
    links: links.length,
    missing: missingLinks(links, network.graph.rounds, network.nodes.length),
    ok: links.filter(({ status }) => status === 'ok').length,
    failed: network.links_failed,
    retests: network.measurements.length - links.length,
    rounds_s,
    slots_s,
    ratio: rounds_s / slots_s,
    named: names(run),
    beside_strangers: besideStrangers(run, links),
    strangers: run.strangers,
    seconds: run.seconds,
  };
  const failures = [
    row.missing !== 0 && `${row.missing} of ${planned} links have no result`,
    new Set(links.map(({ link_id }) => link_id)).size !== links.length && 'a link is duplicated',
    !(row.ratio <= MOST_TIME) && `the rounds took ${rounds_s} s of ${slots_s} s`,
    !faulty && row.ok !== planned && `${planned - row.ok} links are not ok`,
    ...(faulty ? wrongNames(run, links) : row.named.map((name) => `${name} is named`)),
    ...strangersFailures(run, row.beside_strangers),
  ].filter((failure) => failure !== false);
  return { ...row, failures };
}

/**
 * Number of links of the graph without a result. Every node has one link in every round, so two nodes without one mean a
 * missing link, unless neither could connect to the other: such a pair has a row from the preflight, in the graph or not.
 */
function missingLinks(links: readonly LinkMeasurement[], rounds: number, nodes: number): number {
  const reported = links.filter(({ status }) => status !== 'no_report');
  const undialled = reported.filter(({ phase }) => phase === 'preflight');
  let missing = 0;
  for (let round = 0; round < rounds; round += 1) {
    const absent = new Set(Array.from({ length: nodes }, (_, node) => node));
    for (const link of reported.filter((one) => one.round === round))
      for (const node of [link.source_node, link.target_node]) absent.delete(node);
    for (const { source_node: a, target_node: b } of undialled)
      if (absent.has(a) && absent.has(b)) for (const node of [a, b]) absent.delete(node);
    missing += absent.size / 2;
  }
  return missing;
}

function names(run: SoakRun): string[] {
  const { nodes, links } = findings(run.result);
  return [
    ...nodes.map(({ node, reason, direction }) => `${node}:${reason}${direction === null ? '' : `-${direction}`}`),
    ...links.map(({ from, to, verdict }) => `${from}>${to}:${verdict}`),
  ];
}

function wrongNames(run: SoakRun, links: readonly LinkMeasurement[]): string[] {
  const driven = expectedLinks.filter(({ from, to }) => links.some((link) => isBetween(run.result, link, from, to)));
  const expected = [
    ...expectedNodes.map(
      ({ node, reason, direction }) => `${node}:${reason}${direction === null ? '' : `-${direction}`}`,
    ),
    ...driven.map(({ from, to, verdict }) => `${from}>${to}:${verdict}`),
  ];
  const found = names(run);
  const factors = [
    ...expectedNodes.flatMap((one) =>
      'factor' in one
        ? [{ what: `node ${one.node}`, expected: one.factor, found: nodeFactor(run.result, one.node) }]
        : [],
    ),
    ...driven.flatMap((one) =>
      'factor' in one
        ? [
            {
              what: `link ${one.from}>${one.to}`,
              expected: one.factor,
              found: linkFactor(run.result, one.from, one.to),
            },
          ]
        : [],
    ),
  ];
  return [
    ...expected.filter((name) => !found.includes(name)).map((name) => `${name} is not named`),
    ...found.filter((name) => !expected.includes(name)).map((name) => `${name} is named by mistake`),
    ...factors
      .filter((one) => !(Math.abs((one.found ?? Number.NaN) - one.expected) <= FACTOR_TOLERANCE))
      .map((one) => `${one.what}: factor ${one.found}, not ${one.expected}`),
  ];
}

function besideStrangers({ strangers_ms }: SoakRun, links: readonly LinkMeasurement[]): number | null {
  if (strangers_ms === null) return null;
  const beside: number[] = [];
  const alone: number[] = [];
  for (const { started_at, forward_gbps, reverse_gbps } of links) {
    if (started_at === null || forward_gbps === null || reverse_gbps === null) continue;
    const at = Date.parse(started_at);
    (at >= strangers_ms.from && at <= strangers_ms.to ? beside : alone).push((forward_gbps + reverse_gbps) / 2);
  }
  return mean(beside) / mean(alone);
}

function strangersFailures({ strangers }: SoakRun, beside: number | null): (string | false)[] {
  if (strangers === null) return [];
  const counts = Object.values(strangers);
  const sum = (of: 'tried' | 'bytes' | 'still_open' | 'connected'): number =>
    counts.reduce((total, count) => total + count[of], 0);
  return [
    sum('tried') < 1000 && `only ${sum('tried')} strangers`,
    sum('connected') < 500 && `only ${sum('connected')} strangers could connect`,
    sum('bytes') !== 0 && `strangers received ${sum('bytes')} bytes`,
    sum('still_open') !== 0 && `${sum('still_open')} connections of strangers were left open`,
    !(Math.abs((beside ?? Number.NaN) - 1) <= HARM_TOLERANCE) &&
      `links while strangers connected: ${beside} of the rate of the others`,
  ];
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
