import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { GetArtifactQuery } from '../../contract/artifact.ts';
import { begun } from '../begun.ts';
import { Cache, loadOnce } from '../cache.ts';
import type { Context, Platform } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { acceptsCoding, hasTag, partOf, rangeOf } from '../http/field-values.ts';
import { linkLimits, requestLimits } from '../limits/request-limits.ts';
import { downloadHeaders, isPackedCsv, type Packing } from './download-headers.ts';
import { isDue } from './queries.ts';
import type { OpenArtifact } from './store.ts';

interface Input {
  params: { prefix: string; object: string };
  query: GetArtifactQuery;
  headers: Partial<Record<'if-none-match' | 'accept-encoding' | 'range' | 'if-range', string | undefined>>;
}

/** Files whose length is remembered; one entry is a few hundred bytes. */
const MOST_MEASURED = 1000;

/**
 * The stored file behind a signed URL, or one range of it; CSV that is stored as gzip is sent plain, or as gzip to a client
 * that accepts it. 403 if the URL was altered or has expired, 404 if the file or its job is gone.
 */
export function artifactServer(platform: Platform): (context: Context, input: Input) => Promise<Response> {
  const admit = linkAdmission(platform);
  const measured = new Cache<string, Promise<number>>(MOST_MEASURED);
  return async (context, { params, query, headers }) => {
    const { artifacts, sql, now, note } = context;
    const key = `sha256/${params.prefix}/${params.object}`;
    const charged = await admit(context, key, query);
    const isPacked = isPackedCsv(params.object, query.name);
    const packing = isPacked ? (acceptsCoding(headers['accept-encoding'], 'gzip') ? 'gzip' : 'unpacked') : 'none';
    const answer: Record<string, string> = { ...downloadHeaders(params.object, query.name, packing), ...charged };
    const gone = await isDue(sql, { key, now: now() });
    const opened = gone ? null : await artifacts.open(key);
    if (!opened) throw notFound('File');
    note({ artifact: key });
    // The content behind a key never changes, so the tag alone decides.
    const tag = answer['ETag'] ?? '';
    if (hasTag(headers['if-none-match'], tag)) return new Response(null, { status: 304, headers: answer });
    const range = rangeOf({ range: headers['range'], ifRange: headers['if-range'], tag });
    if (range === null)
      return new Response(await begun(whole(opened, packing)), { headers: sized(answer, opened, packing) });
    // A client that resumes a damaged file must not get its end either, so the first range of a file waits until all of it
    // has been checked.
    const total = await loadOnce(measured, `${key} ${opened.version} ${packing}`, () =>
      lengthOf(whole(opened, packing)),
    );
    const part = partOf(range, total);
    if (part === null) return unsatisfiable(total);
    const body = await begun(packing === 'unpacked' ? within(unpacked(all(opened)), part) : opened.part(part));
    const length = String(part.last - part.first + 1);
    const partly = { 'Content-Length': length, 'Content-Range': `bytes ${part.first}-${part.last}/${total}` };
    return new Response(body, { status: 206, headers: { ...answer, ...partly } });
  };
}

/** Throws unless the link is good and within its limit; returns the headers that state the limit. */
function linkAdmission(platform: Platform) {
  const chargeLink = linkLimits(platform);
  const charge = requestLimits(platform);
  return async ({ artifacts, client }: Context, key: string, query: GetArtifactQuery) => {
    const { name, expires, signature } = query;
    const check = artifacts.checkUrl(key, { fileName: name, expires: Number(expires), signature });
    // As any credential that is refused.
    const charged = await (check === 'good'
      ? chargeLink(signature, client.address)
      : charge({ kind: 'anonymous' }, client.address));
    if (charged?.refused) throw charged.refused;
    if (check === 'expired') throw new DomainError('forbidden', 'This link has expired; ask for a new one');
    if (check === 'altered') throw new DomainError('forbidden', 'This link is not valid: it was altered or truncated');
    return charged && { 'RateLimit-Policy': charged.policy, RateLimit: charged.left };
  };
}

/** The unpacked length of a gzip is not known in advance. */
const sized = (headers: Record<string, string>, { sizeBytes }: OpenArtifact, packing: Packing) =>
  packing === 'unpacked' ? headers : { ...headers, 'Content-Length': String(sizeBytes) };

/** Answer to a range that begins beyond the end of a file. */
export function unsatisfiable(total: number): Response {
  const message = `The range begins beyond the end: the file has ${total} bytes.`;
  const headers = { 'Content-Range': `bytes */${total}` };
  return Response.json({ error: { code: 'RANGE_NOT_SATISFIABLE', message } }, { status: 416, headers });
}

/** A report is a single piece: if it is damaged, the answer is an error instead of half a file. */
const whole = ({ content }: OpenArtifact, packing: Packing): AsyncGenerator<Buffer, void> =>
  packing === 'unpacked' ? unpacked(content) : content;

const all = ({ part, sizeBytes }: OpenArtifact): AsyncGenerator<Buffer, void> =>
  part({ first: 0, last: sizeBytes - 1 });

/** Bytes of one unpacked piece. Bounds the memory of any file: the next piece is unpacked when this one has been sent. */
const PIECE = 256 * 1024;

/** The unpacked content of a gzip, as a stream. Throws if the source fails or the gzip is truncated. */
async function* unpacked(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const unpacking = createGunzip({ chunkSize: PIECE });
  // Errors are thrown where the pieces are read.
  pipeline(Readable.from(content), unpacking, () => undefined);
  yield* unpacking as AsyncIterable<Buffer>;
}

async function lengthOf(pieces: AsyncIterable<Buffer>): Promise<number> {
  let length = 0;
  for await (const piece of pieces) length += piece.length;
  return length;
}

async function* within(
  pieces: AsyncIterable<Buffer>,
  { first, last }: { first: number; last: number },
): AsyncGenerator<Buffer, void> {
  let at = 0;
  for await (const piece of pieces) {
    const wanted = piece.subarray(Math.max(first - at, 0), Math.max(last + 1 - at, 0));
    at += piece.length;
    if (wanted.length > 0) yield wanted;
    if (at > last) return;
  }
}
