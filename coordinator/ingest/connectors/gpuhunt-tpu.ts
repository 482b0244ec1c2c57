import { z } from 'zod';
import { FormatError, type Connector } from '../connector.ts';
import { machinePrices } from '../judge-listing.ts';
import { checked, jsonRecord, readJson } from '../reading/read-json.ts';

const price = z.number().nullish();
const document = z.record(
  z.string().startsWith('TPU '),
  z.record(z.string(), z.object({ 'On Demand (USD)': price, 'Spot (USD)': price })),
);

/**
 * gpuhunt's hand-maintained table of Google's TPU prices by generation and region, USD per chip (a v3 device of 4 chips costs
 * 8.80). Some generations have a spot price above the on-demand price there; it is refused.
 */
export const gpuhuntTpu: Connector = {
  name: 'gpuhunt-tpu',
  title: 'gpuhunt table of TPU prices',
  kind: 'rental',
  url: 'https://raw.githubusercontent.com/dstackai/gpuhunt/HEAD/src/gpuhunt/resources/tpu_pricing.json',
  read: async function* (file) {
    let row = 0;
    for (const [label, regions] of Object.entries(checked(file, document, await readJson(file), ''))) {
      for (const [region, prices] of Object.entries(regions)) {
        row += 1;
        const chip = {
          label,
          memoryGb: null,
          formFactor: null,
          provider: 'GCP',
          region,
          country: null,
          currency: 'USD',
          gpuCount: 1,
          isUnsized: true as const,
          clusterSize: 1,
          offer: label,
          observedAt: file.asOf,
        };
        yield* machinePrices(
          jsonRecord(row, [label, region, prices]),
          chip,
          prices['On Demand (USD)'] ?? null,
          prices['Spot (USD)'] ?? null,
        );
      }
    }
    if (row === 0) throw new FormatError(file, null, 'holds no prices');
  },
};
