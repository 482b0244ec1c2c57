import { z } from 'zod';
import { providerSourceType } from '../../contract/price-type.ts';

const cell = z.string().trim();
const country = cell.regex(/^([A-Z]{2})?$/, 'must be two capital letters or empty');

/** One row of the providers' table as CSV. */
export const providerRow = z.object({
  id: cell.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words with hyphens').max(80),
  name: cell.min(1).max(120),
  aliases: cell
    .transform((text) => text.split('|').map((alias) => alias.trim()))
    .transform((aliases) => aliases.filter((alias) => alias !== '')),
  provider_source_type: providerSourceType,
  reseller: z.enum(['true', 'false']).transform((text) => text === 'true'),
  default_country: country.transform((text) => (text === '' ? null : text)),
});
export type ProviderCsvRow = z.output<typeof providerRow>;

/** In the order of the file. */
export const providerColumns = Object.keys(providerRow.shape) as (keyof ProviderCsvRow)[];

/**
 * One row of the table of regions: a code of one provider means one country. `code` is the region's own code, if the row is
 * another spelling of it; `segment` the market of its own that it is, if it is one.
 */
export const regionRow = z.object({
  provider: cell.min(1),
  region: cell.min(1),
  country: cell.regex(/^[A-Z]{2}$/, 'must be two capital letters'),
  code: cell,
  segment: z.enum(['', 'local-zone', 'government']),
});
export type RegionCsvRow = z.output<typeof regionRow>;
