import { createHash } from 'node:crypto';
import { loadReference } from '../market/ingestion/load-reference.ts';
import { findEarlierRun, type EarlierRun } from '../platform/readings/find-earlier-run.ts';
import { CoverageDropError } from '../market/ingestion/judge-coverage.ts';
import { storeRun, type Keep, type ReadFile, type StoredRun } from '../market/ingestion/store-run.ts';
import type { Context } from '../platform/context.ts';
import { FormatError, type Connector, type SourceFile } from './connector.ts';
import { isMeant, observer } from './observe.ts';
import type { ReadRow } from './listing.ts';
import { batchesOfOne } from './reading/batches.ts';
import { hashed } from './reading/hashed.ts';
import { fileIn } from './scope-of.ts';
import { Tally } from './tally.ts';

export type IngestReport =
  | { kind: 'stored'; tally: Tally; run: StoredRun }
  /** exactly this was read before, and what came of it still stands */
  | { kind: 'known'; earlier: EarlierRun };

interface Reading {
  connector: Connector;
  file: SourceFile;
  /** the file as it came: path or URL without what may be secret in it */
  origin: string;
  /** its day was said: the same bytes under another day are another day's prices */
  isDated: boolean;
  /** also where exactly this was read before: labels may have got a meaning since */
  again: boolean;
  /** also where it has far less of its source than readings before it */
  acceptCoverageDrop: boolean;
  /** files of the same archive by their runs: none takes the place of another */
  beside: ReadonlyMap<string, string>;
}

const REMEDY = 'Give the files of the archive names of their own.';

/**
 * One file of one source into the market: all of it, or nothing where the file is not what it should be (`FormatError`).
 * Rows that give no observation are counted by reason, labels without a meaning are kept for the operator.
 */
export async function ingestFile(
  context: Context,
  { connector, file, origin, isDated, again, acceptCoverageDrop, beside }: Reading,
): Promise<IngestReport> {
  const reference = await loadReference(context);
  const observe = observer(reference, context.now());
  const tally = new Tally();
  const hash = createHash('sha256');
  const part = { source: connector.name, scope: file.scope, origin, file: fileIn(origin, file) };
  const known: { run?: EarlierRun } = {};
  const days = new DaySpan();
  /** A promise where Postgres must catch up first. */
  const take = (item: ReadRow, keep: Keep): Promise<void> | null => {
    tally.rowsRead += 1;
    const observed = 'refused' in item ? null : observe(item);
    if (observed?.kind === 'observation') {
      days.add(observed.observation.observedAt);
      return keep(observed.observation);
    }
    if (observed?.kind === 'no-rates') throw noRates(file, item.row, observed);
    if ('refused' in item) tally.refuse(item.refused, item.row, item.detail);
    else if (observed?.kind === 'refused') tally.refuse(observed.refusal, item.row, observed.detail);
    else if (observed)
      tally.leaveUnmatched(observed.of, observed.label, item.listing.observedAt.toISOString().slice(0, 10));
    return null;
  };
  const read = async (keep: Keep): Promise<ReadFile> => {
    const source = { ...file, content: hashed(file.content, hash) };
    for await (const batch of connector.readMany?.(source) ?? batchesOfOne(connector.read(source))) {
      for (const item of batch) {
        const wait = take(item, keep);
        if (wait !== null) await wait;
      }
    }
    if (tally.rowsRead === 0) throw new FormatError(file, null, 'there is no row in it');
    const contentSha256 = hash.digest();
    const same = { ...part, contentSha256, days: isDated ? days.ends : null };
    const earlier = again ? null : await findEarlierRun(context, same);
    if (earlier !== null) {
      known.run = earlier;
      throw new SameContent();
    }
    return {
      contentSha256,
      rowsRead: tally.rowsRead,
      refused: tally.refusedCounts,
      unmatched: tally.unmatched,
      isMeant: (kind, label) => isMeant(kind, label, reference),
    };
  };
  const mayReplace = (runs: readonly string[]): void => {
    const other = runs.map((run) => beside.get(run)).find((name) => name !== undefined);
    if (other === undefined) return;
    throw new FormatError(
      file,
      null,
      `has days of ${other} again, and by its name is the same part of the source. ${REMEDY}`,
    );
  };
  try {
    const run = await storeRun(context, { ...part, mayReplace, acceptCoverageDrop }, read);
    return { kind: 'stored', tally, run };
  } catch (error) {
    if (error instanceof SameContent && known.run) return { kind: 'known', earlier: known.run };
    if (error instanceof CoverageDropError)
      throw new Error(`${file.name}: ${error.message}${lostRows(tally)}`, { cause: error });
    if (!(error instanceof Error && 'code' in error)) throw error;
    // Of the database: which file it was stands in none of its messages.
    throw new Error(`${file.name}: cannot be stored, and nothing of it is (${error.message})`, { cause: error });
  }
}

/** Why there may be fewer: what became of rows that gave no observation. */
function lostRows({ rowsRead, refusedCounts, unmatched }: Tally): string {
  const count = (counts: readonly number[]): number => counts.reduce((sum, rows) => sum + rows, 0);
  const [refused, unknown] = [count(Object.values(refusedCounts)), count(unmatched.map(({ rows }) => rows))];
  const said = [
    ...(refused > 0
      ? [`${refused} of its ${rowsRead} rows were refused (${Object.keys(refusedCounts).join(', ')}).`]
      : []),
    ...(unknown > 0 ? [`${unknown} of its ${rowsRead} rows have a label that nothing means.`] : []),
  ];
  return said.map((sentence) => ` ${sentence}`).join('');
}

/** Prices in another currency need its rates first: a file without them would be read to nothing, or to its dollars alone. */
const noRates = (file: SourceFile, row: number, { currency, day }: { currency: string; day: string }): FormatError => {
  const remedy = 'Load them with "coordinator ingest ecb-rates" and read the file again; nothing of it is stored.';
  const unquoted = `is in another currency than USD, and no exchange rates of that day are loaded. ${remedy}`;
  return new FormatError(
    file,
    row,
    `is in ${currency}, and no exchange rates of ${day} are loaded. ${remedy}`,
    unquoted,
  );
};

/** First and last day of what was observed. */
class DaySpan {
  #first = Infinity;
  #last = -Infinity;

  add(time: Date): void {
    const ms = time.getTime();
    if (ms < this.#first) this.#first = ms;
    if (ms > this.#last) this.#last = ms;
  }

  get ends(): { first: string | null; last: string | null } {
    const day = (ms: number): string | null => (Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : null);
    return { first: day(this.#first), last: day(this.#last) };
  }
}

/** Ends a transaction that would only write again what is there. */
class SameContent extends Error {}
