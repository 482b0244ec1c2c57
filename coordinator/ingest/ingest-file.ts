import { createHash } from 'node:crypto';
import { loadReference, type Reference } from '../market/ingestion/load-reference.ts';
import { refusalOf } from '../platform/readings/coverage.ts';
import { unitRefusal } from '../market/ingestion/unit-guard.ts';
import { storeRun, type Reading, type StoredRun } from '../market/ingestion/store-run.ts';
import type { Observation } from '../market/observation.ts';
import type { Context } from '../platform/context.ts';
import { type EarlierRun } from '../platform/readings/queries.ts';
import { selectUnitChanges } from '../platform/readings/queries/stored-runs.ts';
import { FormatError, type Connector, type SourceFile } from './connector.ts';
import { isMeant, observer } from './observe.ts';
import { batchesOfOne } from './reading/read-csv.ts';
import { hashed } from './reading/contents.ts';
import { fileIn } from './reading/file-names.ts';
import { Tally } from './tally.ts';

export type IngestReport =
  | { kind: 'stored'; tally: Tally; run: StoredRun }
  /** exactly these bytes were read before, and their observations still stand */
  | { kind: 'known'; earlier: EarlierRun };

interface FileToRead {
  connector: Connector;
  file: SourceFile;
  /** path or URL that the file came from, without secrets */
  origin: string;
  /** its day was stated: the same bytes under another day are another day's prices */
  isDated: boolean;
  /** read it even if the same bytes were read before: labels may match now that did not then */
  again: boolean;
  /** store it even if it has far less of its source than earlier readings */
  acceptCoverageDrop: boolean;
  /** YYYY-MM-DD: days on which its source's prices changed their unit */
  unitChangedOn: readonly string[];
  /** run id -> name of the earlier files of the same archive, which this one must not replace */
  beside: ReadonlyMap<string, string>;
}

/** Observations in a batch: few enough to be freed before the garbage collector would move them. */
const MOST_AT_ONCE = 256;

/**
 * Reads one file of one source into the market: all of it, or nothing if the file is not in its format (`FormatError`).
 * Rows that give no observation are counted by reason; unmatched labels are kept for the operator.
 */
export async function ingestFile(context: Context, asked: FileToRead): Promise<IngestReport> {
  const { connector, file, origin, isDated, acceptCoverageDrop, beside, unitChangedOn } = asked;
  const tally = new Tally();
  const stated = (await selectUnitChanges(context.sql, connector.name)).map(({ day }) => day);
  // The same bytes can be other prices then.
  const again = asked.again || unitChangedOn.some((day) => !stated.includes(day));
  const allChanges = [...new Set([...stated, ...unitChangedOn])].toSorted();
  const said = {
    source: connector.name,
    scope: file.scope,
    isNamedByFile: file.provider === null,
    origin,
    file: fileIn(origin, file),
    isDated,
    again,
  };
  const part = { ...said, acceptCoverageDrop, unitChangedOn, beside: new Set(beside.keys()) };
  const toRead = { ...asked, file: { ...file, unitChangedOn: allChanges } };
  const reading = readFile(toRead, { reference: await loadReference(context), now: context.now() }, tally);
  const outcome = await storeRun(context, part, reading).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error)) throw error;
    // A database error: its message does not name the file.
    throw new Error(`${file.name}: cannot be stored, and nothing of it is (${error.message})`, { cause: error });
  });
  switch (outcome.kind) {
    case 'stored':
      return { kind: 'stored', tally, run: outcome };
    case 'known':
      return outcome;
    case 'overlaps':
      throw new FormatError(
        file,
        null,
        `repeats days of ${beside.get(outcome.run)} and, judging by its name, is the same part of the source. Give each file of the archive a different name.`,
      );
    case 'dropped':
      throw new Error(`${file.name}: ${refusalOf(outcome.drop)}${lostRows(tally)}`);
    case 'unit-changed':
      throw new Error(
        `${file.name}: ${unitRefusal(connector.name, outcome.change, connector.unitAfterChange ?? null)}`,
      );
  }
}

/** The observations of a file; its other rows are counted in `tally`. */
async function* readFile(
  { connector, file }: FileToRead,
  { reference, now }: { reference: Reference; now: Date },
  tally: Tally,
): Reading {
  const observe = observer(reference, now);
  const hash = createHash('sha256');
  const source = { ...file, content: hashed(file.content, hash) };
  let batch: Observation[] = [];
  for await (const rows of connector.readMany?.(source) ?? batchesOfOne(connector.read(source))) {
    for (const row of rows) {
      tally.rowsRead += 1;
      if ('refused' in row) {
        tally.refuse(row.refused, row.row, row.detail);
        continue;
      }
      const observed = observe(row);
      if (observed.kind === 'observation') batch.push(observed.observation);
      else if (observed.kind === 'refused') tally.refuse(observed.refusal, row.row, observed.detail);
      else if (observed.kind === 'no-rates') throw noRates(file, row.row, observed);
      else tally.leaveUnmatched(observed.of, observed.label, row.listing.observedAt.toISOString().slice(0, 10));
    }
    if (batch.length < MOST_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
  if (tally.rowsRead === 0) throw new FormatError(file, null, 'has no rows');
  return {
    contentSha256: hash.digest(),
    rowsRead: tally.rowsRead,
    refused: tally.refusedCounts,
    unmatched: tally.unmatched,
    isMeant: (kind, label) => isMeant(kind, label, reference),
  };
}

/** Why there may be fewer observations: how many rows were refused or unmatched. */
function lostRows({ rowsRead, refusedCounts, unmatched }: Tally): string {
  const count = (counts: readonly number[]): number => counts.reduce((sum, rows) => sum + rows, 0);
  const [refused, unknown] = [count(Object.values(refusedCounts)), count(unmatched.map(({ rows }) => rows))];
  const said = [
    ...(refused > 0
      ? [`${refused} of its ${rowsRead} rows were refused (${Object.keys(refusedCounts).join(', ')}).`]
      : []),
    ...(unknown > 0 ? [`${unknown} of its ${rowsRead} rows have a label without a meaning.`] : []),
  ];
  return said.map((sentence) => ` ${sentence}`).join('');
}

/** Prices in another currency need its rates first: without them none of the file, or only its USD prices, would be stored. */
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
