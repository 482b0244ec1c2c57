import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { type Rate, storeRates } from '../market/ingestion/load-reference.ts';
import type { Context } from '../platform/context.ts';
import { FormatError, type SourceFile } from './connector.ts';
import { amountIn } from './reading/cell-values.ts';
import { gather } from './reading/contents.ts';
import { type OnProgress, openSource } from './reading/open-source.ts';
import { isPublicAddress } from './reading/public-address.ts';
import { withoutSecrets } from './reading/source-error.ts';
import { unpack } from './reading/unpack.ts';

export const ecbRates = {
  name: 'ecb-rates',
  title: 'European Central Bank, daily or history',
  kind: 'exchange rates',
  url: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip',
} as const;

/** The whole history since 1999 is 0.7 MB. */
const MOST_BYTES = 16 * 1024 * 1024;

export interface RatesReport {
  file: string;
  rates: number;
  firstDay: string;
  lastDay: string;
}

/**
 * Loads the reference rates at a path or URL into the database; prices in other currencies are converted to USD with them.
 * Throws `SourceError` or `FormatError`; nothing of that file is kept then.
 */
export async function* ingestRates(
  context: Context,
  { place, allowPrivateAddresses }: { place: string; allowPrivateAddresses: boolean },
  onProgress: OnProgress,
): AsyncGenerator<RatesReport> {
  const opened = await openSource(place, {
    mayConnect: allowPrivateAddresses ? () => true : isPublicAddress,
    onProgress,
  });
  if (opened === 'unchanged') return;
  for await (const file of unpack({ name: withoutSecrets(place), content: opened.content })) {
    const rates = readRates(file, (await gather(file, MOST_BYTES)).toString('utf8'));
    await storeRates(context, rates);
    const days = rates.map(({ day }) => day).toSorted();
    yield { file: file.name, rates: rates.length, firstDay: days[0] ?? '', lastDay: days.at(-1) ?? '' };
  }
}

/**
 * USD per unit of each currency and day. The bank gives units per euro, so a currency's rate is the dollar's divided by
 * its own. `N/A` means that the currency has no rate that day. Throws `FormatError`.
 */
export function readRates(file: Pick<SourceFile, 'name'>, text: string): Rate[] {
  const [header = [], ...rows] = cellsOf(file, text);
  const [dayAt, usdAt] = [header.indexOf('Date'), header.indexOf('USD')];
  if (dayAt < 0 || usdAt < 0)
    throw new FormatError(file, null, 'has no columns Date and USD: it is not the bank’s table of reference rates');
  const currencies = [...header.entries()].filter(([at, name]) => /^[A-Z]{3}$/.test(name) && at !== usdAt);
  const seen = new Set<string>();
  const rates = rows.flatMap((cells, at): Rate[] => {
    const row = at + 1;
    const day = dayOf(cells[dayAt] ?? '');
    if (day === null) throw new FormatError(file, row, `"${cells[dayAt]}" is not a date`, 'holds no date');
    if (seen.has(day)) throw new FormatError(file, row, `the day ${day} appears twice`);
    seen.add(day);
    const usd = rateIn(file, row, cells[usdAt], 'USD');
    const others = currencies.flatMap(([place, currency]) => {
      const perEuro = rateIn(file, row, cells[place], currency);
      return usd === null || perEuro === null ? [] : [{ currency, day, usd: usd / perEuro }];
    });
    return usd === null ? [] : [{ currency: 'EUR', day, usd }, ...others];
  });
  if (rates.length === 0) throw new FormatError(file, null, 'has no rate in it');
  return rates;
}

/** Every row must have as many cells as the header: a shorter one was cut off, possibly within its last number. */
function cellsOf(file: Pick<SourceFile, 'name'>, text: string): string[][] {
  try {
    return parse(text, { trim: true, bom: true, skip_empty_lines: true });
  } catch (error) {
    if (error instanceof CsvError)
      throw new FormatError(file, null, `is not a table of rates (${error.message})`, 'is not a table of rates');
    throw error;
  }
}

function rateIn(file: Pick<SourceFile, 'name'>, row: number, cell = '', currency: string): number | null {
  const perEuro = amountIn(cell);
  if (perEuro === null || (perEuro > 0 && perEuro < Infinity)) return perEuro;
  throw new FormatError(file, row, `"${cell}" is not a rate of ${currency}`, `holds no rate of ${currency}`);
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** The history writes 2026-01-21, the daily file 21 January 2026. Null if it is not a calendar day. */
function dayOf(text: string): string | null {
  const [, date, month = '', year] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text) ?? [];
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
  const iso = date === undefined ? text : `${year}-${number}-${date.padStart(2, '0')}`;
  return z.iso.date().safeParse(iso).success ? iso : null;
}
