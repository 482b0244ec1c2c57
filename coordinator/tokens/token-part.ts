import { pulsePrices, pulseSchemasOf } from '../contract/pulse-schema.ts';
import type { TokenFileInterval, TokenFileType } from '../contract/token-files.ts';
import { bookColumns, pulseColumns } from '../contract/token-prices.ts';
import { day as dayOf } from '../contract/wire.ts';
import type { ArchivePart } from '../platform/archive/archive-part.ts';
import type { ArchiveRow } from '../platform/archive/queries.ts';
import type { Period } from '../platform/archive/periods.ts';

/** What a file of token prices holds. */
export interface TokenPart extends ArchivePart {
  tier: null;
  type: TokenFileType;
}

export const partOf = (type: TokenFileType, period: Period): TokenPart => ({
  tier: null,
  type,
  period,
  version: type === 'book' ? 'first' : pulseSchemasOf(period).join(' '),
});

/**
 * The header of a file: the fields of the answers. A month in which the schema of the pulse changed has the prices of both, each
 * empty on the days of the other, so that a reader of either finds its own.
 */
export const columnsOf = ({ type, period }: TokenPart): string[] =>
  type === 'book'
    ? bookColumns
    : [...pulseColumns.head, ...pulseSchemasOf(period).flatMap((schema) => pulsePrices[schema]), ...pulseColumns.tail];

type Kept = Pick<ArchiveRow, 'type' | 'interval' | 'period'>;

/** Narrows a row of these types, which have only these intervals. */
export const keptOf = ({ type, interval, period }: Kept) => ({
  interval: interval as TokenFileInterval,
  period,
  type: type as TokenFileType,
});

/** The name of a file that has not been given one. */
export const usualName = ({ type, interval, period }: Kept): string => `token-${type}-${interval}-${period}`;

export const pathOf = ({ type, interval, period }: Kept): string => `token-price/${type}/${interval}/${period}.csv.gz`;

const usual = /^token-(book|pulse)-(?:(day)-(\d{4}-\d{2}-\d{2})|(month)-(\d{4}-\d{2}))$/;

/** What a file of that usual name holds, the period by its first day; null if it is another kind of name. */
export function keptUnder(name: string): { type: TokenFileType; interval: TokenFileInterval; firstDay: string } | null {
  const [, type, day, date, , month] = usual.exec(name) ?? [];
  if (type !== 'book' && type !== 'pulse') return null;
  const first = dayOf.safeParse(date ?? `${month ?? ''}-01`);
  if (!first.success) return null;
  return { type, interval: day === undefined ? 'month' : 'day', firstDay: first.data };
}
