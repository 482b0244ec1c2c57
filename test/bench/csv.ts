import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { parse, type Options } from 'csv-parse';
import { csvRecords } from '../../coordinator/ingest/reading/csv-records.ts';
import { median } from '../../coordinator/figures/statistics.ts';
import { skippedRow, type BenchRow } from './bench-row.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'shared', 'data');
const ROUNDS = 7;
/** Each file is read as many times as it takes to make a round long enough to be timed. */
const BYTES_A_ROUND = 24 * 1024 ** 2;
const CHUNK = 64 * 1024;
/** Raw rows are kept because each is hashed, and rows with too few or too many cells are counted, not failures. */
const asAsked: Options = { bom: true, skip_empty_lines: true, relax_column_count: true, raw: true };

interface RealFile {
  name: string;
  bytes: Buffer;
}

/**
 * Rows and cells of the publishers' files that the tests read, by our own reader and by csv-parse, alternating: the
 * gain of a reader that supports only what our files need.
 */
export async function benchCsv(): Promise<BenchRow[]> {
  const files = realFiles();
  if (files.length === 0) return [skippedRow('csv, rows of real files', 'the files (../shared/data) are not there')];
  for (const file of files) assert.deepEqual(await cellsOf(ours, file), await cellsOf(theirs, file), file.name);
  const plain = files.filter(({ bytes }) => !bytes.includes('"'));
  const quoted = files.filter(({ bytes }) => bytes.includes('"'));
  return [await compare('csv, files without quotes', plain), await compare('csv, files with quotes', quoted)];
}

function realFiles(): RealFile[] {
  if (!existsSync(folder)) return [];
  return globSync('{rental,retail,carbon}/**/*.csv{,.gz}', { cwd: folder }).map((name) => {
    const bytes = readFileSync(join(folder, name));
    return { name, bytes: name.endsWith('.gz') ? gunzipSync(bytes) : bytes };
  });
}

async function compare(name: string, files: readonly RealFile[]): Promise<BenchRow> {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const times = Math.ceil(BYTES_A_ROUND / size);
  const rounds: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ ours: await rate(ours, files, times), theirs: await rate(theirs, files, times) });
  const row = {
    name,
    ours: median(rounds.map((one) => one.ours)),
    peer: median(rounds.map((one) => one.theirs)),
    unit: 'MB/s',
    ratio: median(rounds.map((one) => one.ours / one.theirs)),
    target: { atLeast: 2 },
    note: `csv-parse; ${files.length} files, ${(size / 1e6).toFixed(1)} MB ${times} times; ${ROUNDS} rounds, alternating`,
  };
  return row;
}

type Reader = (file: RealFile) => AsyncGenerator<readonly { text: string; cells: readonly string[] }[], void>;

async function rate(reader: Reader, files: readonly RealFile[], times: number): Promise<number> {
  const startedAt = performance.now();
  let [bytes, cells] = [0, 0];
  for (let time = 0; time < times; time += 1)
    for (const file of files) {
      for await (const rows of reader(file)) for (const row of rows) cells += row.cells.length;
      bytes += file.bytes.length;
    }
  assert.ok(cells > 0);
  return bytes / 1e3 / (performance.now() - startedAt);
}

async function cellsOf(reader: Reader, file: RealFile): Promise<(readonly string[])[]> {
  const cells: (readonly string[])[] = [];
  for await (const rows of reader(file)) cells.push(...rows.map((row) => row.cells));
  return cells;
}

async function* chunksOf({ bytes }: RealFile): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

const ours: Reader = (file) => csvRecords({ name: file.name, content: chunksOf(file) });

/** As many rows as are ready: awaiting each row separately would make it half as slow again. */
async function* theirs(file: RealFile): ReturnType<Reader> {
  const parser = Readable.from(chunksOf(file)).pipe(parse(asAsked));
  for (;;) {
    const rows: { text: string; cells: readonly string[] }[] = [];
    for (let next = read(parser); next !== null; next = read(parser)) rows.push({ text: next.raw, cells: next.record });
    if (rows.length > 0) yield rows;
    else if (parser.readableEnded) return;
    else await new Promise<void>((resolve) => void parser.once('readable', resolve).once('end', resolve));
  }
}

const read = (parser: Readable): { raw: string; record: string[] } | null =>
  parser.read() as { raw: string; record: string[] } | null;
