import { z } from 'zod';
import { FormatError, type Connector, type SourceFile } from '../connector.ts';
import { judgeListing, refuse } from '../judge-listing.ts';
import type { ReadRow, SourceRecord } from '../listing.ts';
import { checked, jsonRecord, readJson } from '../reading/read-json.ts';

const offer = z.object({
  id: z.number().optional(),
  machine_id: z.number().nullish(),
  gpu_name: z.string(),
  /** MiB of one GPU */
  gpu_ram: z.number().nullish(),
  num_gpus: z.number().nullish(),
  /** USD per hour for all GPUs of the offer */
  dph_total: z.number().nullish(),
  geolocation: z.string().nullish(),
  verified: z.boolean().nullish(),
  verification: z.string().nullish(),
});
type Offer = z.infer<typeof offer>;
const document = z.union([z.array(z.unknown()), z.object({ offers: z.array(z.unknown()) })]);

/**
 * Offers of Vast.ai's search. A machine with 8 GPUs is offered as a whole and again in halves, quarters and single GPUs: the
 * largest offer of each `machine_id` is kept, among equals the cheapest. Offers without a `machine_id` are all kept. Offers
 * that the file marks as not verified by Vast are refused.
 */
export const vastBundles: Connector = {
  name: 'vast-bundles',
  title: 'Vast.ai search',
  kind: 'rental',
  url: 'https://console.vast.ai/api/v0/bundles/',
  read: async function* (file) {
    const whole = checked(file, document, await readJson(file), '');
    const [list, path] = Array.isArray(whole) ? [whole, ''] : [whole.offers, 'offers'];
    if (list.length === 0) throw new FormatError(file, null, 'holds no offers');
    const offers = list.map((value, index) => checked(file, offer, value, `${path}[${index}]`, index + 1));
    const machines = largestOfEach(offers);
    for (const [index, one] of offers.entries())
      yield offerRow(file, jsonRecord(index + 1, list[index]), one, machines);
  },
};

function largestOfEach(offers: readonly Offer[]): ReadonlyMap<number, Offer> {
  const largest = new Map<number, Offer>();
  for (const one of offers) {
    if (isUnverified(one) || one.machine_id == null) continue;
    const known = largest.get(one.machine_id);
    if (known === undefined || isBefore(one, known)) largest.set(one.machine_id, one);
  }
  return largest;
}

function isBefore(a: Offer, b: Offer): boolean {
  const more = (a.num_gpus ?? 0) - (b.num_gpus ?? 0);
  return more === 0 ? (a.dph_total ?? Infinity) < (b.dph_total ?? Infinity) : more > 0;
}

const isUnverified = ({ verified, verification }: Offer): boolean =>
  verified === false || (verification != null && verification !== 'verified');

function offerRow(file: SourceFile, record: SourceRecord, from: Offer, largest: ReadonlyMap<number, Offer>): ReadRow {
  const said = `${from.num_gpus ?? '?'} x ${from.gpu_name}${from.machine_id == null ? '' : `, machine ${from.machine_id}`}`;
  if (isUnverified(from)) return refuse(record, 'unverified', said);
  if (from.machine_id != null && largest.get(from.machine_id) !== from) return refuse(record, 'same-machine', said);
  if (from.dph_total == null) return refuse(record, 'no-price', said);
  const gpuCount = from.num_gpus ?? NaN;
  const place = from.geolocation?.trim() ?? '';
  const listing = {
    label: from.gpu_name,
    memoryGb: from.gpu_ram == null ? null : Math.round((from.gpu_ram / 1024) * 10) / 10,
    formFactor: null,
    provider: 'Vast.ai',
    region: place === '' ? null : place,
    country: /(?:^|,\s*)([A-Z]{2})$/.exec(place)?.[1] ?? null,
    priceType: 0 as const,
    price: from.dph_total / gpuCount,
    currency: 'USD',
    gpuCount,
    clusterSize: 1,
    offer: from.machine_id == null ? null : `machine ${from.machine_id}`,
    observedAt: file.asOf,
  };
  return judgeListing(record, listing, String(from.dph_total));
}
