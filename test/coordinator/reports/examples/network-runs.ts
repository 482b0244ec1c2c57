import type { LinkStatus, LinkVerdict } from '../../../../coordinator/contract/cluster-network.ts';
import type { RunInput } from '../../../../coordinator/network/results/run-input.ts';
import { summariseRun } from '../../../../coordinator/network/results/summarise-run.ts';
import type { ReportLink, ReportNetwork } from '../../../../coordinator/reports/report-model.ts';
import { madeLink, madeNodes, pair, runFacts } from '../../network/results/made-run.ts';

interface Faults {
  /** node -> share of its rate that it sends, receives */
  tx?: Record<number, number>;
  rx?: Record<number, number>;
  /** node -> added half round trip, µs */
  late?: Record<number, number>;
  /** "a-b" -> share from a to b alone */
  link?: Record<string, number>;
  lost?: number[];
}

const NOMINAL = 20;

/** A made-up run of n nodes over 20 Gb/s, full or with `degree` links of each node, with these faults and small noise. */
export function networkRun(
  n: number,
  { faults = {}, degree }: { faults?: Faults; degree?: number } = {},
): ReportNetwork {
  const chance = noise(n);
  const links: ReportLink[] = [];
  for (let source = 0; source < n; source += 1) {
    for (let target = source + 1; target < n; target += 1) {
      // A ring of neighbours at growing distance: as even as a random graph, and told apart from it at a glance.
      const distance = Math.min(target - source, n - target + source);
      if (degree !== undefined && distance > degree / 2) continue;
      links.push(linkOf(n, source, target, { faults, degree, chance }));
    }
  }
  return { results: summariseRun(inputOf(n, links, faults, degree)), links };
}

interface Making {
  faults: Faults;
  degree: number | undefined;
  chance: () => number;
}

/** Links of a node beside one of them; in a sparse graph as if all had been measured. */
const othersOf = (n: number, { lost = [] }: Faults, degree: number | undefined): number =>
  (degree ?? n - 1 - lost.length) - 1;

function linkOf(n: number, source: number, target: number, { faults, degree, chance }: Making): ReportLink {
  const lost = [source, target].some((node) => faults.lost?.includes(node));
  const status: LinkStatus = lost ? 'node_lost' : 'ok';
  const way = (from: number, to: number): number =>
    NOMINAL *
    0.955 *
    (1 + 0.03 * (chance() - 0.5)) *
    Math.min(faults.tx?.[from] ?? 1, faults.rx?.[to] ?? 1) *
    (faults.link?.[`${from}-${to}`] ?? 1);
  const expected = (from: number, to: number) =>
    NOMINAL * 0.955 * Math.min(faults.tx?.[from] ?? 1, faults.rx?.[to] ?? 1);
  const isBad =
    faults.link?.[`${source}-${target}`] !== undefined || faults.link?.[`${target}-${source}`] !== undefined;
  const verdict: LinkVerdict = lost ? 'unmeasured' : isBad ? 'slow' : 'good';
  return {
    link: pair(source, target, n),
    source,
    target,
    forward_gbps: lost ? null : way(source, target),
    reverse_gbps: lost ? null : way(target, source),
    latency_us: lost ? null : 40 + 8 * chance() + (faults.late?.[source] ?? 0) + (faults.late?.[target] ?? 0),
    expected_forward_gbps: lost ? null : expected(source, target),
    expected_reverse_gbps: lost ? null : expected(target, source),
    expected_forward_rates: lost ? null : othersOf(n, faults, degree),
    expected_reverse_rates: lost ? null : othersOf(n, faults, degree),
    status,
    verdict,
  };
}

function inputOf(n: number, links: readonly ReportLink[], faults: Faults, degree: number | undefined): RunInput {
  const rounds = degree ?? (n % 2 === 0 ? n - 1 : n);
  return {
    run: runFacts({
      nodes_expected: n,
      graph: { kind: degree === undefined ? 'full' : 'degree', degree: degree ?? null, rounds, seed: '6502' },
      ended_at: new Date(Date.UTC(2026, 10, 21, 12, 0, 10 + 3 * rounds)),
      rounds_ended_at: new Date(Date.UTC(2026, 10, 21, 12, 0, 5 + 3 * rounds)),
    }),
    nodes: madeNodes(
      n,
      Array.from({ length: n }, (_, node) => ({
        hostname: `gpu-${String(node + 1).padStart(3, '0')}.cluster.example.net`,
        state: faults.lost?.includes(node) ? ('lost' as const) : ('joined' as const),
      })),
    ),
    links: links.map(({ source, target, forward_gbps, reverse_gbps, latency_us, status, verdict }) =>
      madeLink(n, {
        source,
        target,
        forward: forward_gbps ?? 0,
        reverse: reverse_gbps ?? 0,
        p50: 2 * (latency_us ?? 0),
        status,
        verdict,
      }),
    ),
    judgement: judgementOf(n, links, faults, degree),
    reach: {
      partitions: [Array.from({ length: n }, (_, node) => node)],
      one_way_pairs: [],
      inbound_blocked: [],
      unreachable: [],
    },
    collective: null,
  };
}

/** What the verdicts would say, written down from the faults themselves. */
function judgementOf(
  n: number,
  links: readonly ReportLink[],
  faults: Faults,
  degree: number | undefined,
): NonNullable<RunInput['judgement']> {
  const rate = NOMINAL * 0.955;
  const blame = (direction: 'tx' | 'rx', shares: Record<number, number> = {}) =>
    Object.entries(shares).map(([node, factor]) => ({
      node: Number(node),
      reason: 'slow' as const,
      direction,
      factor,
      measured: rate * factor,
      expected: rate,
      unit: 'Gb/s' as const,
    }));
  const late = Object.entries(faults.late ?? {}).map(([node, added]) => ({
    node: Number(node),
    reason: 'latency' as const,
    direction: null,
    factor: (44 + added) / 44,
    measured: 44 + added,
    expected: 44,
    unit: 'us' as const,
  }));
  return {
    nodes: Array.from({ length: n }, (_, node) => {
      const lost = faults.lost?.includes(node) === true;
      return {
        tx_gbps: lost ? null : rate * (faults.tx?.[node] ?? 1),
        rx_gbps: lost ? null : rate * (faults.rx?.[node] ?? 1),
        latency_us: lost ? null : 44 + (faults.late?.[node] ?? 0),
        links_ok: 0,
        links_failed: 0,
      };
    }),
    bad_nodes: [...blame('tx', faults.tx), ...blame('rx', faults.rx), ...late],
    bad_links: Object.entries(faults.link ?? {}).map(([ends, factor]) => {
      const [from = 0, to = 0] = ends.split('-').map(Number);
      return {
        link: pair(Math.min(from, to), Math.max(from, to), n),
        verdict: 'slow' as const,
        direction: from < to ? ('forward' as const) : ('reverse' as const),
        factor,
        measured_gbps: rate * factor,
        expected_gbps: rate,
        expected_rates: othersOf(n, faults, degree),
        compared_with: 'other_links' as const,
        retransmit_share: null,
      };
    }),
    contended_links: links.slice(0, Object.keys(faults.link ?? {}).length * 3).map(({ link }) => link),
    unconfirmed_links: 0,
  };
}

/** Numbers from 0 to 1 that look random and are the same every time (linear congruential, Numerical Recipes). */
function noise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
