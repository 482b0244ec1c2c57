import { createGunzip } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import type { GetArtifactQuery } from '../../contract/artifact.ts';
import { begun } from '../begun.ts';
import type { Context } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { downloadHeaders, isPackedCsv } from './download-headers.ts';
import { isDue } from './queries.ts';

interface Input {
  params: { prefix: string; object: string };
  query: GetArtifactQuery;
  headers: { 'if-none-match'?: string | undefined; 'accept-encoding'?: string | undefined };
}

/**
 * The stored file behind a signed URL; CSV that is stored as gzip is sent plain, or as gzip to a client that accepts it. 403
 * if the URL was altered or has expired, 404 if the file or its job is gone.
 */
export async function serveArtifact(
  { artifacts, sql, now, note }: Context,
  { params, query, headers }: Input,
): Promise<Response> {
  const key = `sha256/${params.prefix}/${params.object}`;
  const check = artifacts.checkUrl(key, {
    fileName: query.name,
    expires: Number(query.expires),
    signature: query.signature,
  });
  if (check === 'expired') throw new DomainError('forbidden', 'This link has expired; ask for a new one');
  if (check === 'altered') throw new DomainError('forbidden', 'This link is not valid: it was altered or truncated');
  const isPacked = isPackedCsv(params.object, query.name);
  const packing = isPacked ? (acceptsGzip(headers['accept-encoding']) ? 'gzip' : 'unpacked') : 'none';
  const answer = downloadHeaders(params.object, query.name, packing);
  const gone = await isDue(sql, { key, now: now() });
  const opened = gone ? null : await artifacts.open(key);
  if (!opened) throw notFound('File');
  note({ artifact: key });
  // The content behind a key never changes, so the tag alone decides.
  if (headers['if-none-match'] === answer['ETag']) return new Response(null, { status: 304, headers: answer });
  if (packing === 'unpacked')
    // Its unpacked length is not known in advance.
    return new Response(ReadableStream.from(await begun(unpacked(opened.content))), { headers: answer });
  // A report is a single piece: if it is damaged, the answer is an error instead of half a file.
  const body = ReadableStream.from(await begun(opened.content));
  return new Response(body, { headers: { ...answer, 'Content-Length': String(opened.sizeBytes) } });
}

/** Whether an Accept-Encoding asks for gzip: by its name, or by `*` if it is not named (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map(
    (header ?? '').split(',').map((part): [string, number] => {
      const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='));
      return [coding.replace(/^x-/, ''), weight === undefined ? 1 : Number(weight.slice(2))];
    }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Bytes of one unpacked piece. Bounds the memory of any file: the next piece is unpacked when this one has been sent. */
const PIECE = 256 * 1024;

/** The unpacked content of a gzip, as a stream. Throws if the source fails or the gzip is truncated. */
async function* unpacked(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const unpacking = createGunzip({ chunkSize: PIECE });
  // Errors are thrown where the pieces are read.
  pipeline(Readable.from(content), unpacking, () => undefined);
  yield* unpacking as AsyncIterable<Buffer>;
}
