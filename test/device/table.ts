import { type Check, type JudgedRow, verdictOf } from './judged-row.ts';
import { wrapText } from './wrap-text.ts';

/** Ten columns, nine gaps, 80 characters. */
const widths = [16, 7, 7, 5, 5, 5, 7, 6, 6, 7];
const titles = ['figure', 'median', 'unit', 'n', 'CV %', 'rnd %', 'peer', 'ratio', 'target', 'verdict'];

/**
 * One device's or the machine's lines. `CV %` is the worst round's, `rnd %` how far the rounds are apart. Below the
 * lines stands every check that did not pass, with its rule.
 */
export function table(headline: string, rows: readonly JudgedRow[], simulated: boolean): string {
  const header = simulated ? `SIMULATED: no GPU was measured. ${headline}` : headline;
  return [
    ...wrapText(header, 80),
    cells(titles),
    '-'.repeat(80),
    ...rows.map(line),
    ...peerNames(rows).flatMap((words) => wrapText(words, 80)),
    ...rows.flatMap((row) => row.checks.filter((one) => one.verdict !== 'ok').flatMap((one) => explain(row, one))),
  ].join('\n');
}

const cells = (columns: readonly string[]): string =>
  columns
    .map((text, index) => {
      const width = widths[index] ?? 0;
      return index === 0 || index === 2 || index === 9 ? text.padEnd(width) : text.padStart(width);
    })
    .join(' ')
    .trimEnd();

function line(row: JudgedRow): string {
  return cells([
    row.label,
    short(row.median),
    row.unit,
    row.n === null ? '' : String(row.n),
    percent(row.cv_worst),
    percent(row.spread),
    short(row.peer?.median ?? null),
    row.ratio === null ? '' : row.ratio.toFixed(row.ratio < 100 ? 3 : 0),
    targetOf(row),
    verdictOf(row) ?? '',
  ]);
}

/** Five digits in seven characters. */
export function short(value: number | null): string {
  if (value === null) return '-';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) return value.toExponential(1);
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(Math.max(0, Math.min(4, 4 - Math.floor(Math.log10(size)))));
}

const percent = (share: number | null): string => (share === null ? '' : (share * 100).toFixed(share < 0.1 ? 2 : 1));

/** The ratio's target where there is one, else the first other. */
function targetOf(row: JudgedRow): string {
  const [first] = [...row.checks].toSorted(
    (a, b) => Number(b.rule.startsWith('ratio')) - Number(a.rule.startsWith('ratio')),
  );
  return first === undefined ? '' : targetText(first);
}

function targetText({ rule, target: { at_least, at_most } }: Check): string {
  if (at_least !== null && at_most !== null) return `1+-${Math.round((at_most - 1) * 100)}%`;
  if (at_least !== null) return `>=${at_least}`;
  if (at_most !== null) return rule.startsWith('CV') ? `CV<=${at_most * 100}` : `<=${at_most}`;
  return '';
}

/** Which peers stand in the column, each once. */
function peerNames(rows: readonly JudgedRow[]): string[] {
  const named = new Map<string, string[]>();
  for (const row of rows) {
    if (row.peer === null || row.peer.median === null) continue;
    named.set(row.peer.name, [...(named.get(row.peer.name) ?? []), row.label.trim()]);
  }
  return [...named].map(([name, labels]) => `peer of ${labels.join(', ')}: ${name}`);
}

function explain(row: JudgedRow, one: Check): string[] {
  const value = one.value === null ? (one.reason ?? 'no figure') : `${one.rule} is ${valueText(one)}`;
  const target = targetText(one);
  return wrapText(`${one.verdict} ${row.label.trim()}: ${value}${target === '' ? '' : `, target ${target}`}`, 80);
}

const valueText = ({ rule, value }: Check): string =>
  value === null ? '-' : rule.startsWith('CV') ? `${(value * 100).toFixed(2)} %` : value.toPrecision(4);
