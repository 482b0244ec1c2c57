import { z } from 'zod';
import type { ObservedPriceType } from '../../contract/price-type.ts';
import { FormatError, type Connector, type SourceFile } from '../connector.ts';
import { judgeListing, refuse } from '../judge-listing.ts';
import type { ReadRow, SourceRecord } from '../listing.ts';
import { checked, jsonRecord, readJson } from '../reading/read-json.ts';
import { HeldSpots } from './held-spots.ts';
import { machineNamed } from './machine-families.ts';

const item = z.object({
  armSkuName: z.string(),
  armRegionName: z.string(),
  retailPrice: z.number().nullable(),
  unitOfMeasure: z.string(),
  meterName: z.string(),
  productName: z.string(),
  type: z.string(),
  reservationTerm: z.string().nullish(),
  currencyCode: z.string().optional(),
});
type Item = z.infer<typeof item>;
const page = z.object({ Items: z.array(z.unknown()) });

/** Hours that a reservation's total price covers: 8,760 a year, as in Azure's own calculator. */
const reservations: Record<string, [type: ObservedPriceType, hours: number]> = {
  '1 Year': [12, 8760],
  '3 Years': [36, 3 * 8760],
};

/**
 * Azure Retail Prices: a page of the API, several of them as an array, or the items alone. Prices are for the whole machine.
 * Only `meterName` says that an item is spot or low priority, and only `productName` that it includes a Windows licence.
 */
export const azureRetail: Connector = {
  name: 'azure-retail',
  title: 'Azure Retail Prices',
  kind: 'rental',
  url: "https://prices.azure.com/api/retail/prices?$filter=serviceName eq 'Virtual Machines' and contains(armSkuName, 'Standard_N')",
  read: async function* (file) {
    const spots = new HeldSpots();
    let row = 0;
    for (const [path, value] of itemsIn(file, await readJson(file))) {
      row += 1;
      const read = itemRow(file, jsonRecord(row, value), checked(file, item, value, path, row));
      const { offer, region, currency } = 'listing' in read ? read.listing : nowhere;
      yield* spots.pass({ machine: `${offer}`, place: `${region} ${currency}` }, read);
    }
    if (row === 0) throw new FormatError(file, null, 'holds no items');
    yield* spots.end();
  },
};

const nowhere = { offer: '', region: '', currency: '' };

function* itemsIn(file: SourceFile, whole: unknown): Generator<[path: string, item: unknown]> {
  const list = Array.isArray(whole) ? whole : [whole];
  for (const [index, value] of list.entries()) {
    const place = Array.isArray(whole) ? `[${index}]` : '';
    if (Array.isArray(whole) && !isPage(value)) yield [place, value];
    else {
      const { Items } = checked(file, page, value, place);
      for (const [at, one] of Items.entries()) yield [`${place}.Items[${at}]`, one];
    }
  }
}

const isPage = (value: unknown): boolean => typeof value === 'object' && value !== null && 'Items' in value;

function itemRow(file: SourceFile, record: SourceRecord, from: Item): ReadRow {
  const offer = from.armSkuName;
  const said = `${offer} ${from.meterName}`;
  if (/\bWindows\b/i.test(from.productName)) return refuse(record, 'other-system', `${offer} ${from.productName}`);
  if (/\bLow Priority\b/i.test(from.meterName)) return refuse(record, 'low-priority', said);
  const terms = termsOf(from);
  if (terms === null) return refuse(record, 'other-terms', `${offer} ${from.type} ${from.reservationTerm ?? ''}`);
  // The total of a reservation is labelled `1 Hour` as well.
  if (from.unitOfMeasure !== '1 Hour') return refuse(record, 'other-unit', `${offer} ${from.unitOfMeasure}`);
  const machine = machineNamed(offer);
  if (machine === null)
    return refuse(record, offer.startsWith('Standard_N') ? 'unknown-count' : 'no-accelerator', offer);
  if (from.retailPrice === null) return refuse(record, 'no-price', said);
  const [priceType, hours] = terms;
  const listing = {
    ...machine,
    said: offer,
    isByMachine: true,
    provider: 'Azure',
    region: from.armRegionName === '' ? null : from.armRegionName,
    country: null,
    priceType,
    price: from.retailPrice / hours / machine.gpuCount,
    currency: from.currencyCode ?? 'USD',
    clusterSize: 1,
    offer,
    observedAt: file.asOf,
  };
  return judgeListing(record, listing, String(from.retailPrice));
}

function termsOf({ type, reservationTerm, meterName }: Item): [type: ObservedPriceType, hours: number] | null {
  if (type === 'Reservation') return reservations[reservationTerm ?? ''] ?? null;
  // DevTestConsumption is for subscriptions that may not serve users.
  if (type !== 'Consumption') return null;
  return [/\bSpot\b/i.test(meterName) ? -1 : 0, 1];
}
