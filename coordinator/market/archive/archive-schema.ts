import type { ArchiveInterval } from '../../platform/archive/periods.ts';

/**
 * A set of columns. Once in force it applies to all earlier periods too: the change of 2026-09-20 restated the whole
 * history.
 */
export type SchemaVersion = 'first' | '260904-1';

const RESTATED_ON = '2026-09-20';

/** The columns in force on a day, according to the announcements. Retail files keep the first set. */
export const schemaOn = (today: string, type: 'rental' | 'retail'): SchemaVersion =>
  type === 'rental' && today >= RESTATED_ON ? '260904-1' : 'first';

const dateColumn: Record<ArchiveInterval, string> = { day: 'date', month: 'month', quarter: 'quarter', year: 'year' };

const instance = [
  'product_id',
  'chip',
  'name',
  'manufacturer',
  'provider',
  'provider_source_type',
  'country',
  'region',
  'instance',
  'num_gpus',
  'price_type',
  'price_type_description',
  'price',
] as const;
/** New columns are appended; the existing ones keep their name and position. */
const restatedInstance = [...instance, 'product_slug', 'vendor', 'accelerator_type', 'cluster_size'] as const;
const country = [
  'product_id',
  'chip',
  'name',
  'manufacturer',
  'country',
  'price_type',
  'price_type_description',
  'price',
] as const;
const restatedCountry = [
  'product_slug',
  'name',
  'manufacturer',
  'country',
  'type',
  'type_description',
  'price',
  'provider_source_type',
] as const;

/** The header of a file. Tier 3 lists every offer, tier 2 a price by product, country and term. */
export function columnsOf(tier: 2 | 3, version: SchemaVersion, interval: ArchiveInterval): string[] {
  const rest =
    tier === 3 ? (version === 'first' ? instance : restatedInstance) : version === 'first' ? country : restatedCountry;
  return [tier === 3 ? 'date' : dateColumn[interval], ...rest];
}
