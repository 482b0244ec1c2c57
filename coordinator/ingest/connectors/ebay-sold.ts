import type { Connector } from '../connector.ts';
import { type CsvFormat, readCsv } from '../reading/read-csv.ts';
import { retailListing } from './retail-listing.ts';

type Column = 'GPU' | 'eBay Price' | 'QTY Sold' | 'Month';

const format: CsvFormat<Column> = {
  required: ['GPU', 'eBay Price', 'QTY Sold', 'Month'],
  looks: { 'eBay Price': 'number', 'QTY Sold': 'number' },
};

const months = 'january february march april may june july august september october november december'.split(' ');

/**
 * Monthly mean prices of used cards sold on eBay in the US: `$2,918`, or `—` if none was sold. A month is dated to its
 * first day.
 */
export const ebaySold: Connector = {
  name: 'ebay-sold',
  title: 'eBay, sold used cards',
  kind: 'retail',
  url: null,
  rowsSayDay: true,
  read: (file) =>
    readCsv(file, format, {
      row: (row) => {
        const month = row.cell('Month');
        const card = {
          label: row.cell('GPU'),
          provider: 'eBay',
          country: 'US',
          priceType: 102 as const,
          offer: `mean of ${row.cell('QTY Sold')} sold`,
          observedAt: firstDayOf(month),
        };
        return [retailListing(row, card, row.cell('eBay Price'), month)];
      },
    }),
};

/** `December 2021`; an invalid Date for anything else. */
function firstDayOf(text: string): Date {
  const [, name = '', year] = /^([a-z]+) (\d{4})$/i.exec(text) ?? [];
  const month = months.indexOf(name.toLowerCase());
  return new Date(month < 0 ? NaN : Date.UTC(Number(year), month, 1));
}
