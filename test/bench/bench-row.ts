/** One measured ratio: ours compared with a peer or floor measured in the same run, alternating. */
export interface BenchRow {
  name: string;
  ours: number;
  peer: number;
  unit: string;
  /** ours / peer; `target` says whether higher or lower is better */
  ratio: number;
  target: { atLeast: number } | { atMost: number };
  /** what the peer is, how many rounds, why a row was skipped */
  note: string;
  skipped?: boolean;
}

/** A row stating why nothing was measured. */
export const skippedRow = (name: string, note: string): BenchRow => ({
  name,
  ours: 0,
  peer: 0,
  unit: '',
  ratio: 0,
  target: { atLeast: 0 },
  note,
  skipped: true,
});

export const meets = (row: BenchRow): boolean =>
  'atLeast' in row.target ? row.ratio >= row.target.atLeast : row.ratio <= row.target.atMost;

/** A readable table: ratio, target and verdict of every row within 100 columns. */
export function benchTable(rows: readonly BenchRow[]): string {
  const lines = rows.map((row) => {
    if (row.skipped === true) return `${row.name.padEnd(26)} skipped: ${row.note}`;
    const target = 'atLeast' in row.target ? `>= ${row.target.atLeast}` : `<= ${row.target.atMost}`;
    const verdict = meets(row) ? 'ok' : 'MISSED';
    const figures = `${row.ours.toPrecision(4).padStart(10)} ${row.peer.toPrecision(4).padStart(10)} ${row.unit.padEnd(8)}`;
    return `${row.name.padEnd(26)} ${figures} ${row.ratio.toFixed(3).padStart(7)}  ${target.padEnd(9)} ${verdict.padEnd(7)} ${row.note}`;
  });
  const head = `${'what'.padEnd(26)} ${'ours'.padStart(10)} ${'peer'.padStart(10)} ${'unit'.padEnd(8)} ${'ratio'.padStart(7)}  ${'target'.padEnd(9)} verdict peer`;
  return [head, ...lines].join('\n');
}
