import { z } from 'zod';
import { FormatError, type Connector } from '../connector.ts';
import { judgeListing, refuse, unsaid } from '../judge-listing.ts';
import type { ReadRow, SourceRecord } from '../listing.ts';
import { checked, readJsonLines } from '../reading/read-json.ts';
import { utcTime } from '../reading/cell-values.ts';
import { formFactorIn } from './form-factor-in.ts';

const deal = z.object({ provider: z.string(), location: z.string().nullish(), spot: z.boolean() });
const snapshot = z.object({
  timestamp: z.string(),
  gpu_type: z.string(),
  socket_type: z.string().nullish(),
  by_provider: z.record(z.string(), z.object({ count: z.number(), min: z.number(), avg: z.number() })),
  by_config: z.record(z.string(), z.object({ min_per_gpu: z.number(), best_deal: deal.optional() })),
});
type Snapshot = z.infer<typeof snapshot>;

/**
 * Least ratio of a provider's cheapest offer to the mean of its offers if all are on one term. In a month's 3,958 means all
 * ratios are above it, except those of one provider, which rents at 1.00 spot and 1.80 on demand.
 */
const ONE_TERM_MIN = 0.75;

/** GPUs per machine in the types that are rented out in clusters. */
const MACHINE_GPUS = 8;

/**
 * Snapshots of Prime Intellect's marketplace, one JSON line per GPU type. Everything in it is resold; the upstream provider
 * is named as the seller. Two kinds of prices are taken, both USD per GPU:
 *  - `by_provider`: the mean of a provider's offers of all sizes. It mixes both terms, and is doubted, if the provider has a
 *    spot offer among the best deals of that snapshot, or its cheapest offer is so cheap that it must be spot.
 *  - `by_config`: the best deal, with its country, if the means do not show it: spot offers, and clusters. A size above 8 GPUs
 *    is a number of 8-GPU machines rented together. On-demand best deals of single machines are in the means.
 */
export const primeIntellect: Connector = {
  name: 'prime-intellect',
  title: 'Prime Intellect snapshots',
  kind: 'rental',
  url: null,
  rowsSayDay: true,
  read: async function* (file) {
    let lines = 0;
    for await (const record of readJsonLines(file)) {
      lines += 1;
      yield* snapshotRows(record, checked(file, snapshot, record.value, '', record.number));
    }
    if (lines === 0) throw new FormatError(file, null, 'is empty');
  },
};

function* snapshotRows(record: SourceRecord, from: Snapshot): Generator<ReadRow> {
  const common = {
    ...unsaid,
    label: from.gpu_type.replaceAll('_', ' '),
    said: from.gpu_type,
    formFactor: formFactorIn(from.socket_type ?? ''),
    observedAt: utcTime(from.timestamp),
  };
  const deals = Object.values(from.by_config).flatMap(({ best_deal }) => best_deal ?? []);
  const mixed = new Set(deals.filter(({ spot }) => spot).map(({ provider }) => provider));
  const providers = Object.entries(from.by_provider);
  if (providers.length === 0) yield refuse(record, 'no-price', common.label);
  for (const [provider, { count, min, avg }] of providers) {
    const offer = `mean of ${count} offers`;
    const doubt = mixed.has(provider) || min < avg * ONE_TERM_MIN ? ('mixed-terms' as const) : null;
    const listing = { ...common, provider, offer, isUnsized: true as const, priceType: 0 as const, price: avg, doubt };
    yield judgeListing(record, listing, undefined, from.timestamp);
  }
  for (const [size, { min_per_gpu: price, best_deal: best }] of Object.entries(from.by_config)) {
    const gpus = Number(/^(\d+)x$/.exec(size)?.[1] ?? NaN);
    if (best === undefined || (gpus <= MACHINE_GPUS && !best.spot)) continue;
    const machines = gpus > MACHINE_GPUS ? gpus / MACHINE_GPUS : 1;
    const listing = {
      ...common,
      provider: best.provider,
      country: /^[A-Z]{2}$/.test(best.location ?? '') ? (best.location ?? null) : null,
      priceType: best.spot ? (-1 as const) : (0 as const),
      price,
      gpuCount: gpus / machines,
      clusterSize: Number.isInteger(machines) ? machines : NaN,
      offer: `${size} best deal`,
      segment: 'minimum' as const,
    };
    yield judgeListing(record, listing, undefined, from.timestamp);
  }
}
