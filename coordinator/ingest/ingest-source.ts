import { findEtag, updateEtag } from '../platform/readings/queries.ts';
import type { Context } from '../platform/context.ts';
import { FormatError, type Connector } from './connector.ts';
import { ingestFile, type IngestReport } from './ingest-file.ts';
import { type OnProgress, openSource } from './reading/open-source.ts';
import { isPublicAddress } from './reading/public-address.ts';
import { withoutSecrets } from './reading/source-error.ts';
import { unpack } from './reading/unpack.ts';
import { scopeOf, dateInName, refuseTomorrow } from './reading/file-names.ts';

interface SourceToRead {
  connector: Connector;
  /** path or URL */
  place: string;
  /** YYYY-MM-DD; null: the date in its name, else see `dayOfPlace` */
  asOf: string | null;
  provider: string | null;
  /** read it even if the same bytes were read before */
  again: boolean;
  /** store it even if it has far less of its source than earlier readings */
  acceptCoverageDrop: boolean;
  /** YYYY-MM-DD: days on which the source's prices changed their unit */
  unitChangedOn: readonly string[];
  /** a URL may resolve to loopback, link-local and private addresses */
  allowPrivateAddresses: boolean;
}

/** `file` is the place, or one of the files packed in it. */
export type SourceReport = { file: string } & (IngestReport | { kind: 'unchanged' });

/**
 * Reads the content of a path or URL into the market, each file of an archive separately.
 * Throws `SourceError` if it cannot be read, `FormatError` if it is not in its format; nothing of that file is kept then.
 */
export async function* ingestSource(
  context: Context,
  { connector, place, asOf, provider, again, acceptCoverageDrop, unitChangedOn, allowPrivateAddresses }: SourceToRead,
  onProgress: OnProgress,
): AsyncGenerator<SourceReport> {
  const origin = withoutSecrets(place);
  const saidDay = dayOfPlace(connector, place, asOf);
  if (saidDay !== null && connector.rowsSayDay !== true) refuseTomorrow(origin, saidDay, context.now());
  // The same bytes must be read again for another day, or as another provider's prices.
  const scope = provider === null ? null : scopeOf(origin, provider);
  const isOther = again || asOf !== null || unitChangedOn.length > 0;
  const known = isOther ? null : await findEtag(context.sql, { source: connector.name, scope, origin });
  const opened = await openSource(place, {
    etag: known,
    mayConnect: allowPrivateAddresses ? () => true : isPublicAddress,
    onProgress,
  });
  if (opened === 'unchanged') return void (yield { file: origin, kind: 'unchanged' });
  const { content, etag } = opened;
  const day = saidDay ?? context.now();
  const beside = new Map<string, string>();
  const { tableIn } = connector;
  let isFound = false;
  for await (const part of unpack({ name: origin, content })) {
    const isPacked = part.name !== origin;
    if (isPacked && tableIn?.(part.name) === false) continue;
    isFound = true;
    const whose = provider ?? connector.providerIn?.(part.name) ?? null;
    const file = { ...part, asOf: day, provider: whose, scope: scopeOf(part.name, whose) };
    const reading = {
      connector,
      file,
      origin,
      again,
      acceptCoverageDrop,
      unitChangedOn,
      beside,
      isDated: saidDay !== null,
    };
    const report = await ingestFile(context, reading);
    if (report.kind === 'stored') beside.set(report.run.runId, part.name);
    yield { file: part.name, ...report };
    // The same table in other formats may follow.
    if (isPacked && tableIn !== undefined) break;
  }
  if (!isFound)
    throw new FormatError({ name: origin }, null, `is an archive without the table that ${connector.name} reads`);
  // Only now: after a partial read the server must send the content again.
  if (etag !== null) await updateEtag(context.sql, { source: connector.name, scope, origin, etag });
}

/**
 * The day stated for a place: by the operator, else by the date in its name. Null if neither states one: a URL then counts as
 * today's, since it is fetched now, and rows with their own dates need no day. Throws for a file with neither: it may be
 * months old, and its prices would become today's.
 */
export function dayOfPlace(
  { name, rowsSayDay }: Pick<Connector, 'name' | 'rowsSayDay'>,
  place: string,
  asOf: string | null,
): Date | null {
  const said = asOf === null ? dateInName(place) : new Date(asOf);
  if (said !== null || rowsSayDay === true || /^https?:/i.test(place)) return said;
  throw new Error(
    `${place}: neither its name nor its rows state the day of its prices. Add --as-of YYYY-MM-DD (${name}), or put the day in its name.`,
  );
}
