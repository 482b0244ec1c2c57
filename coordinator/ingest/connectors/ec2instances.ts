import { z } from 'zod';
import type { ObservedPriceType } from '../../contract/price-type.ts';
import type { Segment } from '../../market/segments.ts';
import { FormatError, type Connector, type SourceFile } from '../connector.ts';
import { judgeListing, refuse, machinePrices, type MachineOffer } from '../judge-listing.ts';
import type { ReadRow, SourceRecord } from '../listing.ts';
import { amountIn } from '../reading/cell-values.ts';
import { checked, jsonRecord, readJson } from '../reading/read-json.ts';
import { HeldSpots } from './held-spots.ts';
import { machineNamed } from './machine-families.ts';

const amount = z.union([z.string(), z.number()]).nullish();
const instance = z.object({
  instance_type: z.string(),
  GPU: amount,
  GPU_model: z.string().nullish(),
  GPU_memory: amount,
  pricing: z.record(
    z.string(),
    z.object({
      // Until 2015 a text: on demand alone.
      linux: z
        .preprocess(
          (said) => (typeof said === 'string' ? { ondemand: said } : said),
          z.object({ ondemand: amount, spot_avg: amount, reserved: z.record(z.string(), amount).nullish() }),
        )
        .optional(),
    }),
  ),
});
type Instance = z.infer<typeof instance>;
type Prices = NonNullable<Instance['pricing'][string]['linux']>;

const terms: [name: string, type: ObservedPriceType, segment: Segment | null][] = [
  ['yrTerm1Standard', 12, null],
  ['yrTerm3Standard', 36, null],
  ['yrTerm1Convertible', 12, 'convertible'],
  ['yrTerm3Convertible', 36, 'convertible'],
];
/** A contract paid upfront has a discount for the cash, so it is never compared with hourly prices. */
const PAID_AHEAD = ['partialUpfront', 'allUpfront'];

/**
 * instances.json of ec2instances.info (Vantage): Linux; on demand, spot as the mean of the day, reserved for 1 and 3 years,
 * Standard and (in a market of its own) Convertible, as effective hourly prices, all for the whole machine. A row is a pair
 * of instance type and region or local zone. China's own file has prices in CNY; its regions begin with `cn-`.
 *
 * Lists since 2013 are read: the older ones have the price on demand alone, or no word for the accelerator and none or 0 of
 * them (g2, cg1), which the type then says.
 *
 * The accelerators of a known type are those that AWS publishes, because the file counts boards for p2 (two GPUs each), gives
 * p6e-gb200 the 36 GPUs of its name, calls Trainium Inferentia, and states one chip's memory for the whole trn2.
 */
export const ec2instances: Connector = {
  name: 'ec2instances',
  title: 'EC2 price list of instances.vantage.sh',
  kind: 'rental',
  url: 'https://instances.vantage.sh/instances.json',
  read: async function* (file) {
    const list = checked(file, z.array(z.unknown()), await readJson(file), '');
    if (list.length === 0) throw new FormatError(file, null, 'is a list without instance types');
    const spots = new HeldSpots();
    let row = 0;
    for (const [index, value] of list.entries()) {
      const type = checked(file, instance, value, `[${index}]`);
      const { pricing } = value as Pick<Instance, 'pricing'>;
      for (const [region, prices] of Object.entries(type.pricing)) {
        row += 1;
        const record = jsonRecord(row, [type.instance_type, region, pricing[region]]);
        for (const read of regionRows(file, record, type, region, prices.linux))
          yield* spots.pass({ machine: type.instance_type, place: region }, read);
      }
    }
    yield* spots.end();
  },
};

function regionRows(
  file: SourceFile,
  record: SourceRecord,
  type: Instance,
  region: string,
  prices?: Prices,
): ReadRow[] {
  const offer = type.instance_type;
  const known = machineNamed(offer);
  const count = known?.gpuCount ?? amountIn(type.GPU) ?? 0;
  if (count === 0) return [refuse(record, 'no-accelerator', offer)];
  if (prices === undefined) return [refuse(record, 'no-price', `${offer} ${region}, not for Linux`)];
  const total = amountIn(type.GPU_memory);
  const machine: MachineOffer = {
    label: labelOf(offer, type.GPU_model ?? '', known?.label ?? null),
    said: type.GPU_model || offer,
    isByMachine: known !== null,
    memoryGb: known?.memoryGb ?? (total === null ? null : total / count),
    formFactor: known?.formFactor ?? null,
    provider: 'AWS',
    region,
    country: null,
    currency: region.startsWith('cn-') ? 'CNY' : 'USD',
    gpuCount: count,
    clusterSize: 1,
    offer,
    observedAt: file.asOf,
  };
  const reserved = terms.flatMap(([name, priceType, segment]): ReadRow[] => {
    const found = termPrice(prices, name, segment);
    if (found === null) return [];
    const listing = { ...machine, priceType, price: found.price / count };
    const ofSegment = found.segment === null ? listing : { ...listing, segment: found.segment };
    return [judgeListing(record, ofSegment, String(found.price))];
  });
  const hourly = machinePrices(record, machine, amountIn(prices.ondemand), amountIn(prices.spot_avg));
  return reserved.length > 0 && hourly.every((one) => 'refused' in one && one.refused === 'no-price')
    ? reserved
    : [...hourly, ...reserved];
}

/** The price without upfront payment if there is one, else one with it, which has a market of its own. */
function termPrice(
  prices: Prices,
  term: string,
  segment: Segment | null,
): { price: number; segment: Segment | null } | null {
  const price = amountIn(prices.reserved?.[`${term}.noUpfront`]);
  if (price !== null) return { price, segment };
  for (const payment of PAID_AHEAD) {
    const ahead = amountIn(prices.reserved?.[`${term}.${payment}`]);
    if (ahead !== null) return { price: ahead, segment: 'upfront' };
  }
  return null;
}

/** The file's own words, except for the two families that it misnames and for known types that it leaves unnamed. */
const labelOf = (type: string, said: string, known: string | null): string =>
  known !== null && (/^(trn|p6e-gb)/.test(type) || said === '') ? known : said;
