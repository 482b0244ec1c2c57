import { planGraph } from '../../../../coordinator/network/schedule/plan-graph.ts';
import { seededRandom, type SeededRandom } from '../../../../coordinator/network/schedule/seeded-random.ts';
import { judgeRun } from '../../../../coordinator/network/verdict/judge-run.ts';
import type {
  JudgedAttempt,
  JudgedLink,
  RunJudgement,
  RunToJudge,
} from '../../../../coordinator/network/verdict/run-verdict.ts';

/** A direction of a link, as `from>to`. */
export type Way = `${number}>${number}`;

export interface Cluster {
  nodes: number;
  seed: string;
  /** standard deviation of the logarithm of each bandwidth; a third of it for latencies */
  noise: number;
  /** default: every pair */
  degree?: number;
  /** what a node's side reaches, of the nominal 100 Gb/s */
  tx?: ReadonlyMap<number, number>;
  rx?: ReadonlyMap<number, number>;
  /** what a direction of a link lets through, of what its ends reach */
  links?: ReadonlyMap<Way, number>;
  /** microseconds that a node adds to each latency; 20 is usual for a link */
  delays?: ReadonlyMap<number, number>;
  /** microseconds between two nodes beside that */
  distance?: (a: number, b: number) => number;
  /** share of segments sent again by pair `low>high` */
  losses?: ReadonlyMap<Way, number>;
  /** share of segments sent again on every link; varies log-normally by 0.7 */
  queueDrops?: number;
  lost?: readonly number[];
  /** share of its links that fail, by node */
  failing?: ReadonlyMap<number, number>;
  /** what contention leaves of a rate while other links run too */
  contention?: (from: number, to: number, random: SeededRandom) => number;
  speeds?: ReadonlyMap<number, number>;
}

const NOMINAL_GBPS = 100;
const LATENCY_US = 20;
const SEGMENTS = 100_000;

/** First attempts of a whole run. Bandwidth = min(sender, receiver) x link x contention x log-normal noise. */
export function simulateRun(cluster: Cluster): RunToJudge {
  const random = seededRandom(`rounds ${cluster.seed}`);
  const config =
    cluster.degree === undefined
      ? ({ graph: 'full' } as const)
      : ({ graph: 'degree', degree: cluster.degree } as const);
  const { rounds } = planGraph({
    nodes: cluster.nodes,
    config,
    slotSeconds: 3,
    budgetSeconds: 1e6,
    seed: cluster.seed,
  });
  return {
    nodes: Array.from({ length: cluster.nodes }, (_, node) => ({
      node,
      speed_gbps: cluster.speeds?.get(node) ?? NOMINAL_GBPS,
      state: cluster.lost?.includes(node) === true ? 'lost' : 'measured',
    })),
    links: rounds.flatMap((links, round) =>
      links.map(({ link, source, target }) => ({
        link,
        source,
        target,
        round,
        attempts: [measure(cluster, { link, source, target }, 1, random)],
      })),
    ),
    transport: 'tcp',
  };
}

/** The run with its retests, as the verdicts ask for them: each alone on the network, twice. */
export function judgeWithRetests(cluster: Cluster): { run: RunToJudge; judgement: RunJudgement; retested: number[] } {
  const random = seededRandom(`retests ${cluster.seed}`);
  const run = simulateRun(cluster);
  const afterRounds = judgeRun(run);
  const retested = new Set(afterRounds.retests);
  if (retested.size === 0) return { run, judgement: afterRounds, retested: [] };
  const links = run.links.map((link): JudgedLink => {
    if (!retested.has(link.link)) return link;
    return {
      ...link,
      attempts: [...link.attempts, measure(cluster, link, 2, random), measure(cluster, link, 3, random)],
    };
  });
  return { run: { ...run, links }, judgement: judgeRun({ ...run, links }), retested: [...retested] };
}

type Ends = Pick<JudgedLink, 'link' | 'source' | 'target'>;

function measure(cluster: Cluster, { source, target }: Ends, attempt: number, random: SeededRandom): JudgedAttempt {
  const nothing = {
    forward_gbps: null,
    reverse_gbps: null,
    rtt_us: null,
    min_rtt_us: null,
    retransmits: null,
    segments: null,
  };
  if (cluster.lost?.some((node) => node === source || node === target) === true)
    return { attempt, status: 'node_lost', ...nothing };
  const failing = [source, target].some((node) => random.unit() < (cluster.failing?.get(node) ?? 0));
  if (failing) return { attempt, status: 'timeout', ...nothing };
  const rate = (from: number, to: number): number =>
    nominal(cluster, from, to) *
    (cluster.links?.get(`${from}>${to}`) ?? 1) *
    (attempt === 1 ? (cluster.contention?.(from, to, random) ?? 1) : 1) *
    logNormal(random, cluster.noise);
  const delay = (cluster.delays?.get(source) ?? 0) + (cluster.delays?.get(target) ?? 0);
  const latency =
    (LATENCY_US + delay + (cluster.distance?.(source, target) ?? 0)) * logNormal(random, cluster.noise / 3);
  const drops = (cluster.queueDrops ?? 0) * logNormal(random, 0.7);
  return {
    attempt,
    status: 'ok',
    forward_gbps: rate(source, target),
    reverse_gbps: rate(target, source),
    rtt_us: { min: 1.6 * latency, p50: 2 * latency, p99: 3 * latency, max: 5 * latency, samples: 1000 },
    min_rtt_us: 1.6 * latency,
    retransmits: Math.round(SEGMENTS * (drops + (cluster.losses?.get(`${source}>${target}`) ?? 0))),
    segments: SEGMENTS,
  };
}

/** The lesser of what the sender sends and the receiver receives. */
function nominal({ speeds, tx, rx }: Cluster, from: number, to: number): number {
  const speed = (node: number): number => speeds?.get(node) ?? NOMINAL_GBPS;
  return Math.min(speed(from) * (tx?.get(from) ?? 1), speed(to) * (rx?.get(to) ?? 1));
}

/** By Box and Muller; the median is 1. */
export function logNormal(random: SeededRandom, sigma: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.unit()));
  return Math.exp(sigma * radius * Math.cos(2 * Math.PI * random.unit()));
}
