import { z } from 'zod';
import { FormatError, type Connector } from '../connector.ts';
import { judgeListing, refuse, unsaid } from '../judge-listing.ts';
import { checked, readJsonLines } from '../reading/read-json.ts';
import { utcTime } from '../reading/cell-values.ts';
import { formFactorIn } from './form-factor-in.ts';

const day = z.object({
  collected_at: z.string(),
  cheapest: z.record(z.string(), z.record(z.string(), z.number().nullable())),
});

/**
 * One JSON line per day: each provider's cheapest on-demand price by model, USD per GPU. A minimum is not comparable with the
 * prices of providers that are read in full: a market of its own (`minimum`).
 */
export const cheapestByProvider: Connector = {
  name: 'cheapest-by-provider',
  title: 'Cheapest price by provider',
  kind: 'rental',
  url: null,
  rowsSayDay: true,
  read: async function* (file) {
    let lines = 0;
    for await (const record of readJsonLines(file)) {
      lines += 1;
      const { collected_at, cheapest } = checked(file, day, record.value, '', record.number);
      const observedAt = utcTime(collected_at);
      for (const [provider, prices] of Object.entries(cheapest)) {
        for (const [said, price] of Object.entries(prices)) {
          const label = said.replace(/ \(form unstated\)$/, '');
          const listing = {
            ...unsaid,
            label,
            said,
            formFactor: formFactorIn(label),
            provider,
            isUnsized: true as const,
            segment: 'minimum' as const,
            priceType: 0 as const,
            observedAt,
          };
          yield price === null
            ? refuse(record, 'no-price', `${provider} ${said}`)
            : judgeListing(record, { ...listing, price }, undefined, collected_at);
        }
      }
    }
    if (lines === 0) throw new FormatError(file, null, 'is empty');
  },
};
