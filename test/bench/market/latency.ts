import { join } from 'node:path';
import type { BenchRow } from '../bench-row.ts';
import { median } from '../../../coordinator/figures/statistics.ts';
import { startBenchServer } from '../coordinator/bench-server.ts';
import { BY_ROUTER, load, quantile } from '../coordinator/load.ts';
import type { MarketDatabase } from './market-database.ts';
import { historyRequests, latestRequests, pricedKeys, type RequestOf } from './price-requests.ts';

const CONNECTIONS = 64;
const ROUNDS = 7;
const WARM_UP_SECONDS = 3;
const SECONDS = 3;
/** Limit for the p99 of the answers, in milliseconds. */
const BAR = 20;
/** How much slower ten times the rows may be. */
const GROWTH = 1.3;

interface Place {
  port: number;
  requestOf: RequestOf;
  p50: number[];
  p99: number[];
}

/**
 * Newest prices and prices of ninety days over HTTP, 64 connections with one request in flight each, from a market and
 * from one with a tenth of its rows on the same days; the same requests, alternating.
 */
export async function benchLatency(big: MarketDatabase, small: MarketDatabase): Promise<BenchRow[]> {
  const file = join(import.meta.dirname, 'latency-server.ts');
  const servers = { big: await startBenchServer(file, big.url), small: await startBenchServer(file, small.url) };
  const keys = await pricedKeys(small);
  try {
    const rows: BenchRow[] = [];
    for (const [name, requests] of [
      ['latest price', latestRequests],
      ['history price', historyRequests],
    ] as const) {
      const place = (port: number, { bearer }: MarketDatabase, query = ''): Place => {
        return { port, requestOf: requests(keys, bearer, query), p50: [], p99: [] };
      };
      const [ours, fewer, bare, routed] = [
        place(servers.big.ours, big),
        place(servers.small.ours, small),
        place(servers.big.floor, big),
        place(servers.big.ours, big, BY_ROUTER),
      ];
      await measure([ours, fewer, bare, routed]);
      rows.push(
        barRow(name, ours, bare),
        growthRow(name, ours, fewer, big.rows / small.rows),
        laneRow(name, ours, routed),
      );
    }
    return rows;
  } finally {
    await servers.big.stop();
    await servers.small.stop();
  }
}

async function measure(places: readonly Place[]): Promise<void> {
  const run = ({ port, requestOf }: Place, seconds: number) =>
    load(port, { connections: CONNECTIONS, seconds, requestOf });
  for (const place of places) await run(place, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const place of places) {
      const { latencies } = await run(place, SECONDS);
      place.p50.push(quantile(latencies, 0.5));
      place.p99.push(quantile(latencies, 0.99));
    }
}

const rounds = `${CONNECTIONS} connections, ${ROUNDS} x ${SECONDS} s`;

function barRow(name: string, ours: Place, bare: Place): BenchRow {
  const p99 = median(ours.p99);
  return {
    name: `${name}, p99`,
    ours: p99,
    peer: BAR,
    unit: 'ms',
    ratio: p99 / BAR,
    target: { atMost: 1 },
    note: `the bar; p50 ${median(ours.p50).toFixed(1)} ms, bare node:http with an answer of that size p99 ${median(bare.p99).toFixed(1)} ms; ${rounds}`,
  };
}

const growthRow = (name: string, ours: Place, fewer: Place, times: number): BenchRow =>
  besideRow(`${name}, ${times} x rows`, {
    ours,
    beside: fewer,
    atMost: GROWTH,
    what: 'the same days with a tenth of the rows',
  });

/** What the fast lane saves: if it saves nothing, the operation should go through the router. */
const laneRow = (name: string, ours: Place, routed: Place): BenchRow =>
  besideRow(`${name}, past the router`, { ours, beside: routed, atMost: 1, what: 'the same through it' });

interface Beside {
  ours: Place;
  beside: Place;
  atMost: number;
  what: string;
}

function besideRow(name: string, { ours, beside, atMost, what }: Beside): BenchRow {
  const middle = `p50 ${median(ours.p50).toFixed(1)} against ${median(beside.p50).toFixed(1)} ms`;
  return {
    name,
    ours: median(ours.p99),
    peer: median(beside.p99),
    unit: 'ms',
    ratio: median(ours.p99.map((p99, round) => p99 / (beside.p99[round] ?? Number.NaN))),
    target: { atMost },
    note: `${what}, p99; ${middle}; ${rounds}`,
  };
}
