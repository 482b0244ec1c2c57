import { z } from 'zod';
import type { Connector, SourceFile } from '../connector.ts';
import type { ReadRow, SourceRecord } from '../listing.ts';
import { type CsvFormat, readCsv } from '../reading/read-csv.ts';
import { beginning } from '../reading/contents.ts';
import { checked, jsonRecord, readJson } from '../reading/read-json.ts';
import { utcTime } from '../reading/cell-values.ts';
import { formFactorIn } from './form-factor-in.ts';
import { retailListing } from './retail-listing.ts';

type Column = 'gpu_file' | 'datetime' | 'price_usd';

const format: CsvFormat<Column> = {
  required: ['gpu_file', 'datetime', 'price_usd'],
  looks: { datetime: 'date', price_usd: 'number' },
};

const series = z.object({ gpu_name: z.string(), prices: z.record(z.string(), z.number().nullable()) });

/**
 * Prices of new cards in Amazon's US buy box, USD, one for each change, so several on some days. One JSON file per GPU, or
 * one CSV of all GPUs, identified by `gpu_file`. Times are taken as UTC.
 */
export const amazonBuybox: Connector = {
  name: 'amazon-buybox',
  title: 'Amazon buy box',
  kind: 'retail',
  url: null,
  rowsSayDay: true,
  read: async function* (file) {
    const [start, whole] = await beginning(file);
    yield* start === 'other' ? readTable(whole) : readSeries(whole);
  },
};

const readTable = (file: SourceFile): AsyncIterable<ReadRow> =>
  readCsv(file, format, {
    row: (row) => [priceRow(row, row.cell('gpu_file'), row.cell('datetime'), row.cell('price_usd'))],
  });

async function* readSeries(file: SourceFile): AsyncGenerator<ReadRow, void> {
  const { gpu_name, prices } = checked(file, series, await readJson(file), '');
  for (const [index, [time, price]] of Object.entries(prices).entries()) {
    yield priceRow(jsonRecord(index + 1, [time, price]), gpu_name, time, price);
  }
}

const priceRow = (record: SourceRecord, said: string, time: string, price: string | number | null): ReadRow =>
  retailListing(
    record,
    {
      label: said.replaceAll('_', ' '),
      said,
      formFactor: formFactorIn(said),
      provider: 'Amazon',
      country: 'US',
      priceType: 100,
      observedAt: utcTime(time),
    },
    price,
    time,
  );
