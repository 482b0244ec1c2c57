import type { Edition } from '../carbon/factors/edition.ts';
import { carbonRefusals, type CarbonConnector } from '../ingest/carbon/carbon-connector.ts';
import type { CarbonReport } from '../ingest/carbon/ingest-carbon.ts';
import type { Connector } from '../ingest/connector.ts';
import { ecbRates, type RatesReport } from '../ingest/ecb-rates.ts';
import type { SourceReport } from '../ingest/ingest-source.ts';
import { refusals } from '../ingest/listing.ts';
import { oneLine } from '../ingest/reading/source-error.ts';
import type { TokenReport } from '../ingest/tokens/ingest-tokens.ts';
import { tokenRefusals, type TokenConnector } from '../ingest/tokens/token-connector.ts';
import { describeDrop, type CoverageDrop } from '../platform/readings/coverage.ts';
import { ASKED_AFTER, type NotCounted } from '../market/report-day.ts';
import type { UnmatchedRow } from '../platform/readings/queries.ts';
import type { Refused } from '../ingest/tally.ts';
import { table } from './text-table.ts';
import { minuteText } from '../platform/minute-text.ts';

/** The outcome of reading one file, as text. */
export function describeIngest(report: SourceReport): string {
  const place = report.file;
  if (report.kind === 'unchanged') return unchanged(place);
  if (report.kind === 'known') return readBefore(place, report.earlier);
  const { tally, run } = report;
  return `${stored(place, { ...run, tally, refusedLines: refusedLines(tally.refused, refusals) })}${accepted(run.drop)}`;
}

const accepted = (drop: CoverageDrop | null): string =>
  drop === null ? '' : `           accepted: less than ${describeDrop(drop)}\n`;

/** Uncounted votes, of any source, on the newest day of a file; empty if all count. */
export function describeNotCounted(day: string, { votes, asked }: NotCounted): string {
  if (votes === 0) return '';
  const forLong = asked === 0 ? '' : `; ${asked} for ${ASKED_AFTER} readings or more: are they right?`;
  const what = votes === 1 ? 'vote of' : 'votes of';
  return `  ${String(votes).padStart(8)} ${what} ${day} kept and not counted${forLong || ':'} ingest report ${day}\n`;
}

/** The outcome of reading one file of token prices, models or volumes, as text. */
export function describeTokens(report: TokenReport): string {
  if (report.kind === 'unchanged') return unchanged(report.file);
  if (report.kind === 'known') return readBefore(report.file, report.earlier);
  const text = stored(report.file, { ...report, refusedLines: refusedLines(report.tally.refused, tokenRefusals) });
  return `${text}${accepted(report.drop)}`;
}

const unchanged = (place: string): string => `${place}: has not changed since it was read last; nothing to do\n`;

function readBefore(place: string, { endedAt, rowsKept }: { endedAt: Date; rowsKept: number }): string {
  const when = minuteText(endedAt);
  return `${place}: read before (${when} UTC, ${rowsKept} observations); --again reads it once more\n`;
}

interface Stored {
  tally: { rowsRead: number; unmatched: readonly { rows: number }[] };
  rowsKept: number;
  rowsReplaced: number;
  days: readonly string[];
  refusedLines: readonly string[];
}

function stored(place: string, { tally, rowsKept, rowsReplaced, days: all, refusedLines: refused }: Stored): string {
  const days = all.length === 1 ? all[0] : `${all.length} days, ${all[0]} to ${all.at(-1)}`;
  const unmatched = tally.unmatched.reduce((sum, { rows }) => sum + rows, 0);
  const lines = [
    `${place}: ${tally.rowsRead} read, ${rowsKept} kept${all.length > 0 ? ` (${days})` : ''}`,
    ...refused,
    ...(unmatched > 0
      ? [
          `  ${String(unmatched).padStart(8)} with ${labels(tally.unmatched.length)} without a meaning: ingest --unmatched`,
        ]
      : []),
    ...(rowsReplaced > 0 ? [`  ${String(rowsReplaced).padStart(8)} earlier observations of these days replaced`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

export const describeRates = ({ file, rates, firstDay, lastDay }: RatesReport): string =>
  `${file}: ${rates} exchange rates, ${firstDay} to ${lastDay}\n`;

/** The outcome of reading one file of carbon data, as text. */
export function describeCarbon({ file, reading, editions, stored, drops }: CarbonReport): string {
  if (stored.length === 0) return `${file}: unchanged; nothing to do\n`;
  const lines = [
    `${file}: ${reading.rowsRead} read, ${reading.rowsKept} kept`,
    ...refusedLines(reading.refused, carbonRefusals),
    ...(editions.length > MOST_EDITIONS
      ? [`  ${editions.length} editions of ${editions[0]?.source}, ${editions[0]?.scope} to ${editions.at(-1)?.scope}`]
      : editions.map((edition) => `  edition ${edition.source}, ${edition.scope}: ${contentOf(edition)}`)),
  ];
  return `${lines.join('\n')}\n${drops.map(accepted).join('')}`;
}

const MOST_EDITIONS = 3;

function contentOf({ factors, zips, regions, defaultPostcodes }: Edition): string {
  const counts: readonly [count: number, one: string, more: string][] = [
    [factors.length, 'factor', 'factors'],
    [zips.length, 'group of zips', 'groups of zips'],
    [regions.length, 'region', 'regions'],
    [defaultPostcodes.length, 'default post code', 'default post codes'],
  ];
  return counts.flatMap(([count, one, more]) => (count > 0 ? [`${count} ${count === 1 ? one : more}`] : [])).join(', ');
}

const refusedLines = <Refusal extends string>(
  refused: ReadonlyMap<Refusal, Refused>,
  sentences: Readonly<Record<Refusal, string>>,
): string[] =>
  [...refused].map(
    ([refusal, { rows, row, detail }]) =>
      `  ${String(rows).padStart(8)} refused: ${sentences[refusal]} (${refusal}; first in row ${row}${detail === '' ? '' : `: ${oneLine(detail)}`})`,
  );

/** One line per source, and its address below if it has one: a terminal has 80 columns. */
export function describeConnectors(
  connectors: readonly Connector[],
  tokenConnectors: readonly TokenConnector[],
  carbonConnectors: readonly CarbonConnector[],
): string {
  const prices = [...connectors, ecbRates];
  const width = Math.max(...[...prices, ...tokenConnectors, ...carbonConnectors].map(({ name }) => name.length));
  const line = (name: string, what: string, url: string | null): string =>
    `${name.padEnd(width)}  ${what}\n${url === null ? '' : `${' '.repeat(width)}  ${url}\n`}`;
  return [
    ...prices.map(({ name, title, kind, url }) => line(name, `${title} (${kind})`, url)),
    '\nTokens: prices, models and volumes of language models\n',
    ...tokenConnectors.map(({ name, title, url }) => line(name, title, url)),
    '\nCarbon: factors, zips, regions, post codes\n',
    ...carbonConnectors.map(({ name, title, url }) => line(name, title, url)),
  ].join('');
}

export const describeUnmatched = (rows: readonly UnmatchedRow[]): string =>
  rows.length === 0
    ? 'every label that was read means a product or a model, and every name a provider\n'
    : table(
        ['kind', 'source', 'rows', 'first', 'last', 'label'],
        rows.map(({ kind, source, rows: count, first_seen, last_seen, label }) => [
          kind,
          source,
          count,
          first_seen,
          last_seen,
          oneLine(label),
        ]),
      );

const labels = (count: number): string => (count === 1 ? 'a label' : `${count} labels`);
