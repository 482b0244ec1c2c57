import { z } from 'zod';
import { FormatError, type Connector, type SourceFile } from '../connector.ts';
import { judgeListing, refuse } from '../judge-listing.ts';
import type { ReadRow, SourceRecord } from '../listing.ts';
import { amountIn } from '../reading/cell-values.ts';
import { checked, jsonRecord, readJson } from '../reading/read-json.ts';
import { machineNamed } from './machine-families.ts';

const sku = z.object({
  price: z.union([z.string(), z.number()]).nullish(),
  'Instance Type': z.string(),
  'Operating System': z.string().optional(),
  'Instance Family': z.string().optional(),
  'Pre Installed S/W': z.string().optional(),
});
const document = z.object({ regions: z.record(z.string(), z.record(z.string(), z.unknown())) });
/** Several documents, each under a name; the site serves one per region. */
const several = z.record(z.string(), document);

/**
 * The feed behind AWS's pricing page: on demand, USD for the whole machine, under the region's display name
 * (`US East (N. Virginia)`). It does not state how many accelerators a machine has; types unknown to us are refused.
 */
export const awsPricingPage: Connector = {
  name: 'aws-pricing-page',
  title: 'AWS pricing page, EC2 on demand',
  kind: 'rental',
  url: null,
  read: async function* (file) {
    const whole = await readJson(file);
    const one = document.safeParse(whole);
    const parts = one.success ? [one.data] : Object.values(checked(file, several, whole, ''));
    let row = 0;
    for (const { regions } of parts) {
      for (const [region, skus] of Object.entries(regions)) {
        for (const [name, value] of Object.entries(skus)) {
          row += 1;
          yield skuRow(
            file,
            jsonRecord(row, value),
            region,
            checked(file, sku, value, `regions.${region}.${name}`, row),
          );
        }
      }
    }
    if (row === 0) throw new FormatError(file, null, 'holds no prices');
  },
};

function skuRow(file: SourceFile, record: SourceRecord, region: string, item: z.infer<typeof sku>): ReadRow {
  const offer = item['Instance Type'];
  const software = item['Pre Installed S/W'] ?? 'NA';
  if ((item['Operating System'] ?? 'Linux') !== 'Linux' || (software !== 'NA' && software !== '')) {
    return refuse(record, 'other-system', `${offer} ${item['Operating System'] ?? ''} ${software}`);
  }
  const machine = machineNamed(offer);
  if (machine === null) {
    const accelerated = /GPU|Machine Learning|Accelerat/i.test(item['Instance Family'] ?? '');
    return refuse(record, accelerated ? 'unknown-count' : 'no-accelerator', offer);
  }
  const price = amountIn(item.price);
  if (price === null) return refuse(record, 'no-price', offer);
  const listing = {
    ...machine,
    said: offer,
    isByMachine: true,
    provider: 'AWS',
    region,
    country: null,
    priceType: 0 as const,
    price: price / machine.gpuCount,
    currency: 'USD',
    clusterSize: 1,
    offer,
    observedAt: file.asOf,
  };
  return judgeListing(record, listing, String(item.price));
}
