import type { ObservedPriceType } from '../../contract/price-type.ts';
import type { Connector } from '../connector.ts';
import { refuse } from '../judge-listing.ts';
import { amountIn, utcTime } from '../reading/cell-values.ts';
import { type CsvFormat, readCsv } from '../reading/read-csv.ts';
import { formFactorIn } from './form-factor-in.ts';
import { retailListing } from './retail-listing.ts';

type Column = 'date' | 'product' | 'condition' | 'price' | 'currency' | 'seller' | 'country' | 'url' | 'memory_gb';

const format: CsvFormat<Column> = {
  required: ['date', 'product', 'condition', 'price', 'currency', 'seller'],
  optional: ['country', 'url', 'memory_gb'],
  looks: { date: 'date', price: 'number' },
};

const conditions = new Map<string, ObservedPriceType>([
  ['new', 100],
  ['refurbished', 101],
  ['used', 102],
]);

/**
 * Our own format for prices of cards: `date` YYYY-MM-DD, `condition` new, refurbished or used, `price` of one card in
 * `currency` (ISO 4217), `seller`, `country` (ISO alpha-2), `url`, `memory_gb`.
 */
export const retailCsv: Connector = {
  name: 'retail-csv',
  title: 'Retail prices as CSV (own format)',
  kind: 'retail',
  url: null,
  rowsSayDay: true,
  read: (file) =>
    readCsv(file, format, {
      row: (row) => {
        const label = row.cell('product');
        const priceType = conditions.get(row.cell('condition').toLowerCase());
        if (priceType === undefined) return [refuse(row, 'other-terms', `condition ${row.cell('condition')}`)];
        const currency = row.cell('currency').toUpperCase();
        if (!/^[A-Z]{3}$/.test(currency)) return [refuse(row, 'unknown-currency', row.cell('currency'))];
        const card = {
          label,
          memoryGb: amountIn(row.cell('memory_gb')),
          formFactor: formFactorIn(label),
          provider: row.cell('seller'),
          country: row.cell('country').toUpperCase() || null,
          priceType,
          currency,
          offer: row.cell('url') || null,
          observedAt: utcTime(row.cell('date')),
        };
        return [retailListing(row, card, row.cell('price'), row.cell('date'))];
      },
    }),
};
