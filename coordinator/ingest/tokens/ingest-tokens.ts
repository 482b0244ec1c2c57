import { createHash } from 'node:crypto';
import type { Context } from '../../platform/context.ts';
import { refusalOf } from '../../platform/readings/coverage.ts';
import { findEtag, updateEtag } from '../../platform/readings/queries.ts';
import { identifyModel } from '../../tokens/identity/identify-model.ts';
import { storeTokenRun, type StoredTokenRun } from '../../tokens/ingestion/store-token-run.ts';
import { sellerNamed } from '../../tokens/sellers.ts';
import { FormatError } from '../connector.ts';
import { dateInName, fileIn, refuseTomorrow } from '../reading/file-names.ts';
import { hashed } from '../reading/contents.ts';
import { type OnProgress, openSource } from '../reading/open-source.ts';
import { isPublicAddress } from '../reading/public-address.ts';
import { withoutSecrets } from '../reading/source-error.ts';
import { unpack } from '../reading/unpack.ts';
import type { Tally } from '../tally.ts';
import { labelOfText, observeTokens } from './observe-tokens.ts';
import type { TokenConnector, TokenFile, TokenRefusal } from './token-connector.ts';

interface TokensToRead {
  connector: TokenConnector;
  /** path or URL */
  place: string;
  /** YYYY-MM-DD; null: the date in its name, else today */
  asOf: string | null;
  /** read it even if the same bytes were read before */
  again: boolean;
  /** store it even if it has far less of its source than earlier readings */
  acceptCoverageDrop: boolean;
  allowPrivateAddresses: boolean;
}

/** `file` is the place, or one of the files packed in it. */
export type TokenReport =
  | { file: string; kind: 'unchanged' }
  | ({ file: string; tally: Tally<TokenRefusal>; rowsKept: number } & StoredTokenRun);

/**
 * Loads token prices, models or volumes at a path or URL into the database, each file whole or not at all.
 * Throws `SourceError` if it cannot be read, `FormatError` if it is not in its format.
 */
export async function* ingestTokens(
  context: Context,
  { connector, place, asOf, again, acceptCoverageDrop, allowPrivateAddresses }: TokensToRead,
  onProgress: OnProgress,
): AsyncGenerator<TokenReport> {
  const origin = withoutSecrets(place);
  const day = asOf ?? dayOf(dateInName(place) ?? context.now());
  const { name: source, rowsSayDay = false } = connector;
  if (!rowsSayDay) refuseTomorrow(origin, new Date(day), context.now());
  const at = { source, scope: null, origin };
  // The same price list on another day means that its prices still hold, so the ETag is sent only for a day that has them.
  const etag = again ? null : await findEtag(context.sql, { ...at, ...(rowsSayDay ? {} : { lastDay: day }) });
  const opened = await openSource(place, {
    etag,
    mayConnect: allowPrivateAddresses ? () => true : isPublicAddress,
    onProgress,
    nextPage: null,
  });
  if (opened === 'unchanged') return void (yield { file: origin, kind: 'unchanged' });
  for await (const part of unpack({ name: origin, content: opened.content }))
    yield await ingestPart(context, { connector, origin, again, acceptCoverageDrop }, { ...part, day });
  // Only now: after a partial read the server must send the content again.
  if (opened.etag !== null) await updateEtag(context.sql, { ...at, etag: opened.etag });
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

async function ingestPart(
  context: Context,
  {
    connector,
    origin,
    again,
    acceptCoverageDrop,
  }: Pick<TokensToRead, 'connector' | 'again' | 'acceptCoverageDrop'> & { origin: string },
  file: TokenFile,
): Promise<TokenReport> {
  const hash = createHash('sha256');
  const reading = await connector.read({ ...file, content: hashed(file.content, hash) });
  const { tally, rowsKept, ...observations } = observeTokens(connector, reading, file.day);
  if (tally.rowsRead === 0) throw new FormatError(file, null, 'has no rows');
  if (rowsKept === 0) throw new FormatError(file, null, 'none of its rows can be kept');
  const usageDays = new Set(observations.usage.map(({ day }) => day));
  for (const day of usageDays) refuseTomorrow(file.name, new Date(day), context.now());
  const stored = await storeTokenRun(context, {
    ...observations,
    source: connector.name,
    scope: reading.scope,
    origin,
    file: fileIn(origin, file),
    contentSha256: hash.digest(),
    rowsRead: tally.rowsRead,
    rowsKept,
    refused: tally.refusedCounts,
    unmatched: tally.unmatched,
    isMeant: (kind, text) => isMeant(connector.name, kind, text),
    days: usageDays.size > 0 ? [...usageDays] : [file.day],
    again,
    acceptCoverageDrop,
  });
  if (stored.kind === 'dropped') throw new Error(`${file.name}: ${refusalOf(stored.drop)}`);
  if (stored.kind === 'stored') for (const { row, day } of stored.covered) tally.refuse('page-has-day', row, day);
  const covered = stored.kind === 'stored' ? stored.covered.length : 0;
  return { file: file.name, tally, rowsKept: rowsKept - covered, ...stored };
}

/** Whether a label that was left unmatched can be matched in this version. */
function isMeant(source: string, kind: 'product' | 'provider' | 'model', text: string): boolean {
  if (kind === 'provider') return sellerNamed(text) !== null;
  return kind === 'model' && identifyModel({ source, ...labelOfText(text) }) !== null;
}
