import { createHash } from 'node:crypto';
import { ensureCarbon, loadEditions } from '../../carbon/store-editions.ts';
import type { Edition } from '../../carbon/factors/edition.ts';
import type { Context } from '../../platform/context.ts';
import { refusalOf, type CoverageDrop } from '../../platform/readings/coverage.ts';
import { FormatError } from '../connector.ts';
import { dateInName, refuseTomorrow } from '../reading/file-names.ts';
import { hashed } from '../reading/contents.ts';
import { type OnProgress, openSource } from '../reading/open-source.ts';
import { isPublicAddress } from '../reading/public-address.ts';
import { withoutSecrets } from '../reading/source-error.ts';
import { unpack, type Part } from '../reading/unpack.ts';
import type { CarbonConnector, CarbonFile, CarbonReading } from './carbon-connector.ts';
import { peekedWorkbook } from './egrid-workbook.ts';

interface CarbonToRead {
  connector: CarbonConnector;
  /** path or URL */
  place: string;
  /** YYYY-MM-DD; null: the date in its name, if it has one */
  publishedOn: string | null;
  /** sent in the connector's header, only to that address */
  key: string | null;
  /** load it even if it has far less than what it replaces */
  acceptCoverageDrop: boolean;
  allowPrivateAddresses: boolean;
}

export interface CarbonReport {
  /** the place, or one of the files packed in it */
  file: string;
  reading: Pick<CarbonReading, 'rowsRead' | 'rowsKept' | 'refused'>;
  editions: readonly Edition[];
  /** the new ones among them; the others were loaded before from the same bytes */
  stored: readonly Edition[];
  /** accepted drops in coverage */
  drops: readonly CoverageDrop[];
}

/**
 * Loads carbon data at a path or URL into the database, each file whole or not at all.
 * Throws `SourceError` if it cannot be read, `FormatError` if it is not in its format.
 */
export async function* ingestCarbon(
  context: Context,
  { connector, place, publishedOn, key, acceptCoverageDrop, allowPrivateAddresses }: CarbonToRead,
  onProgress: OnProgress,
): AsyncGenerator<CarbonReport> {
  // Ours first: the first name of a zone is kept, and some lists have only keys.
  await ensureCarbon(context);
  const { live } = connector;
  const opened = await openSource(place, {
    mayConnect: allowPrivateAddresses ? () => true : isPublicAddress,
    onProgress,
    ...(live && key !== null
      ? { credential: { header: live.header, value: `${live.scheme ?? ''}${key}` }, nextPage: null }
      : {}),
  });
  if (opened === 'unchanged') return;
  const origin = withoutSecrets(place);
  const day = publishedOn ?? dateInName(place)?.toISOString().slice(0, 10) ?? null;
  if (day !== null) refuseTomorrow(origin, new Date(day), context.now());
  for await (const part of partsOf({ name: origin, content: opened.content }))
    yield await ingestPart(context, { connector, acceptCoverageDrop }, part, { origin, published_on: day });
}

/** An .xlsx is a zip but counts as one file. */
async function* partsOf(packed: Part): AsyncGenerator<Part, void> {
  const [isWorkbook, whole] = await peekedWorkbook(packed);
  if (isWorkbook) yield whole;
  else yield* unpack(whole);
}

async function ingestPart(
  context: Context,
  { connector, acceptCoverageDrop }: Pick<CarbonToRead, 'connector' | 'acceptCoverageDrop'>,
  file: CarbonFile,
  said: Pick<Edition, 'origin' | 'published_on'>,
): Promise<CarbonReport> {
  const startedAt = context.now();
  const hash = createHash('sha256');
  const reading = await connector.read({ ...file, content: hashed(file.content, hash) });
  if (reading.rowsRead === 0) throw new FormatError(file, null, 'has no rows');
  if (reading.rowsKept === 0) throw new FormatError(file, null, 'none of its rows can be kept');
  const common = { ...said, shipped: false, sha256: hash.digest() };
  const refused = Object.fromEntries([...reading.refused].map(([refusal, { rows }]) => [refusal, rows]));
  const empty = { zones: [], factors: [], zips: [], regions: [], defaultPostcodes: [] };
  const editions = reading.editions.map((content): Edition => ({ ...empty, ...common, refused, ...content }));
  const loaded = await loadEditions(context, editions, {
    rowsRead: reading.rowsRead,
    startedAt,
    // The hours that a service answers with move on.
    acceptCoverageDrop: acceptCoverageDrop || connector.live !== undefined,
  });
  if (loaded.kind === 'dropped') throw new Error(`${file.name}: ${refusalOf(loaded.drop)}`);
  return { file: file.name, reading, editions, stored: loaded.stored, drops: loaded.drops };
}
