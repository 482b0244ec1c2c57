import type { Connector } from '../connector.ts';
import { judgeListing, refuse, unsaid } from '../judge-listing.ts';
import { amountIn, rememberingUtcTime } from '../reading/cell-values.ts';
import { type CsvFormat, readCsv } from '../reading/read-csv.ts';
import { termNamed } from './price-terms.ts';

type Column = 'date' | 'provider' | 'gpu_model' | 'rental_type' | 'price_per_gpu_hour_usd';

const format: CsvFormat<Column> = {
  required: ['date', 'provider', 'gpu_model', 'rental_type', 'price_per_gpu_hour_usd'],
  looks: { date: 'date', price_per_gpu_hour_usd: 'number' },
};

/** Daily medians of a provider's offers, USD per GPU; machine sizes are not stated. */
export const neocloudDaily: Connector = {
  name: 'neocloud-daily',
  title: 'Neocloud daily medians',
  kind: 'rental',
  url: null,
  rowsSayDay: true,
  read: (file) => {
    const timeOf = rememberingUtcTime();
    return readCsv(file, format, {
      row: (row) => {
        const priceType = termNamed(row.cell('rental_type'));
        if (priceType === undefined) return [refuse(row, 'other-terms', row.cell('rental_type'))];
        const said = row.cell('price_per_gpu_hour_usd');
        const price = amountIn(said);
        if (price === null) return [refuse(row, 'no-price', row.cell('gpu_model'))];
        const listing = {
          ...unsaid,
          label: row.cell('gpu_model'),
          isUnsized: true as const,
          provider: row.cell('provider'),
          priceType,
          price,
          observedAt: timeOf(row.cell('date')),
        };
        return [judgeListing(row, listing, said, row.cell('date'))];
      },
    });
  },
};
