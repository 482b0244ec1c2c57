import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Listing } from '../../../coordinator/ingest/listing.ts';
import { seededRandom } from '../../../coordinator/network/schedule/seeded-random.ts';

/** Whole months; the machine's clock must be past the last one. */
const MONTHS = 24;
const FIRST_MONTH = Date.UTC(2024, 9, 1);
const DAY_MS = 86_400_000;

export interface Month {
  /** YYYY-MM */
  name: string;
  /** YYYY-MM-DD */
  days: readonly string[];
}

export const months: readonly Month[] = Array.from({ length: MONTHS }, (_, at) => {
  const first = new Date(FIRST_MONTH);
  first.setUTCMonth(first.getUTCMonth() + at);
  const days: string[] = [];
  for (const day = new Date(first); day.getUTCMonth() === first.getUTCMonth(); day.setTime(day.getTime() + DAY_MS))
    days.push(day.toISOString().slice(0, 10));
  return { name: first.toISOString().slice(0, 7), days };
});

export const days: readonly string[] = months.flatMap((month) => month.days);

/** How many of `rows` fall on a day, such that all days together have exactly `rows`. */
const rowsOn = (rows: number, day: string): number => {
  const at = days.indexOf(day);
  return Math.floor(((at + 1) * rows) / days.length) - Math.floor((at * rows) / days.length);
};

/** The sources are read every hour. */
const READINGS = 24;
/**
 * Prices vary by up to this fraction around the published ones, and fall by this fraction from the first day to the
 * last.
 */
const NOISE = 0.08;
const DECLINE = 0.3;
const FLUSH = 1024 * 1024;

const header =
  'date,collected_at,provider,gpu_model,memory_gb,form_factor,sku,region,country,price_type,gpu_count,cluster_size,currency,usd_per_gpu_hour\n';

/**
 * A month of a market of `rows` observations over all months, in the columns of the connector `observations`. Each row is one
 * of the real listings, drawn by a generator with a fixed seed, at a price near its own. The same arguments give the same bytes.
 */
export async function writeMonth(
  path: string,
  month: Month,
  { rows, listings }: { rows: number; listings: readonly Listing[] },
): Promise<number> {
  const random = seededRandom(`${rows} rows, ${month.name}`);
  const known = listings.map((listing) => ({ cells: cellsOf(listing), price: listing.price }));
  const file = createWriteStream(path);
  let text = header;
  let written = 0;
  for (const day of month.days) {
    const count = rowsOn(rows, day);
    const level = 1 - (DECLINE * days.indexOf(day)) / days.length;
    for (let n = 0; n < count; n += 1) {
      const { cells, price } = known[random.below(known.length)] ?? { cells: '', price: 0 };
      const asked = price * level * (1 + NOISE * (2 * random.unit() - 1));
      text += `${day},${day}T${hours[Math.floor((n * READINGS) / count)]}:12:33+00:00,${cells},${Math.max(1, Math.round(asked * 1e4)) / 1e4}\n`;
      if (text.length < FLUSH) continue;
      if (!file.write(text)) await once(file, 'drain');
      text = '';
    }
    written += count;
  }
  file.end(text);
  await finished(file);
  return written;
}

const hours = Array.from({ length: READINGS }, (_, hour) => String(hour).padStart(2, '0'));

const cellsOf = (listing: Listing): string =>
  [
    listing.provider,
    listing.label,
    listing.memoryGb,
    listing.formFactor,
    listing.offer,
    listing.region,
    listing.country,
    listing.priceType,
    listing.gpuCount,
    listing.clusterSize,
    listing.currency,
  ]
    .map((cell) => quoted(String(cell ?? '')))
    .join(',');

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
