import { z } from 'zod';
import type { CsvFormat } from '../reading/read-csv.ts';
import type { CsvRow } from '../reading/csv-row.ts';
import { scopeOf } from '../reading/file-names.ts';
import { csvRows } from './csv-rows.ts';
import { saidPrice, PER_MILLION } from './said-price.ts';
import type { TokenConnector, TokenFile, TokenReading, TokenRow } from './token-connector.ts';

type Column =
  | 'model'
  | 'seller'
  | 'price_input'
  | 'price_output'
  | 'price_cached_input'
  | 'valid_from'
  | 'valid_to'
  | 'source';

const format: CsvFormat<Column> = {
  required: ['model', 'seller', 'price_input', 'price_output', 'source'],
  optional: ['price_cached_input', 'valid_from', 'valid_to'],
  looks: { price_input: 'number', price_output: 'number' },
};
const day = z.union([z.iso.date(), z.literal('')]);

/**
 * Our own format, for sources without a connector: USD per million tokens. `model` is the seller's label, or developer/name,
 * with the variant after a colon; `valid_from` and `valid_to` are days, the end exclusive; `source` says where the figure is
 * from.
 */
export const tokenPrices: TokenConnector = {
  name: 'token-prices',
  title: 'Token prices as CSV (own format)',
  url: null,
  read: async (file: TokenFile): Promise<TokenReading> => ({
    scope: scopeOf(file.name, null),
    rows: await csvRows(file, format, rowOf),
  }),
};

function rowOf(row: CsvRow<Column>): TokenRow {
  const [label, provider] = [row.cell('model'), row.cell('seller')];
  if (label === '' || provider === '') return { row: row.number, refused: 'no-model', detail: `${label} ${provider}` };
  const [from, to] = [row.cell('valid_from'), row.cell('valid_to')];
  if (!day.safeParse(from).success || !day.safeParse(to).success || (to !== '' && to <= from))
    return { row: row.number, refused: 'bad-cell', detail: `valid_from ${from}, valid_to ${to}` };
  const amounts = { price_input: row.cell('price_input'), price_output: row.cell('price_output') };
  const cached = row.cell('price_cached_input');
  const price = saidPrice(
    { input: amounts.price_input, output: amounts.price_output, cachedInput: cached },
    {
      unit: PER_MILLION,
      raw: { ...amounts, price_cached_input: cached, source: row.cell('source') },
      validFrom: from || null,
      validTo: to || null,
    },
  );
  if (typeof price === 'string') return { row: row.number, refused: price, detail: label };
  return { row: row.number, label, provider, price };
}
