import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { Rate } from '../market/ingestion/exchange-rates.ts';
import { storeRates } from '../market/ingestion/store-rates.ts';
import type { Context } from '../platform/context.ts';
import { FormatError, type SourceFile } from './connector.ts';
import type { OnProgress } from './ingest-source.ts';
import { gather } from './reading/gather.ts';
import { openSource } from './reading/open-source.ts';
import { withoutSecrets } from './reading/source-error.ts';
import { unpack } from './reading/unpack.ts';

export const ecbRates = {
  name: 'ecb-rates',
  title: 'Euro reference rates of the European Central Bank (CSV, daily or whole history)',
  kind: 'exchange rates',
  url: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip',
} as const;

/** The whole history since 1999 has 0.7 MB. */
const MOST_BYTES = 16 * 1024 * 1024;

export interface RatesReport {
  file: string;
  rates: number;
  firstDay: string;
  lastDay: string;
}

/**
 * Reference rates at a path or URL into the database: what prices in other currencies are turned into USD by.
 * Throws `SourceError` or `FormatError`; nothing of that file is kept then.
 */
export async function* ingestRates(
  context: Context,
  place: string,
  onProgress: OnProgress,
): AsyncGenerator<RatesReport> {
  const seen: { size: number | null } = { size: null };
  const opened = await openSource(place, { onBytes: (bytes) => onProgress(bytes, seen.size) });
  if (opened === 'unchanged') return;
  seen.size = opened.size;
  for await (const file of unpack({ name: withoutSecrets(place), content: opened.content })) {
    const rates = readRates(file, (await gather(file, MOST_BYTES)).toString('utf8'));
    await storeRates(context, rates);
    const days = rates.map(({ day }) => day).toSorted();
    yield { file: file.name, rates: rates.length, firstDay: days[0] ?? '', lastDay: days.at(-1) ?? '' };
  }
}

/**
 * USD for one of each currency and day. The bank gives units for one euro, so that a currency's rate is the dollar's
 * divided by its own. A cell `N/A` is a day on which the currency had none.
 */
export function readRates(file: Pick<SourceFile, 'name'>, text: string): Rate[] {
  const rows = parse(text, {
    columns: (header: string[]) => header.map((name) => name.trim()),
    trim: true,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
  }) as Record<string, string>[];
  if (rows[0]?.['Date'] === undefined || rows[0]['USD'] === undefined)
    throw new FormatError(file, null, 'has no columns Date and USD: it is not the bank’s table of reference rates');
  const rates = rows.flatMap(({ Date: day = '', ...cells }, at) => {
    const usd = Number(cells['USD']);
    const iso = dayOf(day);
    if (iso === null) throw new FormatError(file, at + 1, `"${day}" is no date`);
    if (!(usd > 0)) return [];
    const others = Object.entries(cells).flatMap(([currency, cell]) => {
      const perEuro = Number(cell);
      return /^[A-Z]{3}$/.test(currency) && currency !== 'USD' && perEuro > 0
        ? [{ currency, day: iso, usd: usd / perEuro }]
        : [];
    });
    return [{ currency: 'EUR', day: iso, usd }, ...others];
  });
  if (rates.length === 0) throw new FormatError(file, null, 'has no rate in it');
  return rates;
}

/** The history writes 2026-01-21, the daily file 21 January 2026; null for a day that is in no calendar. */
function dayOf(text: string): string | null {
  const isIso = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (isIso) return z.iso.date().safeParse(text).success ? text : null;
  const time = Date.parse(`${text} UTC`);
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}
