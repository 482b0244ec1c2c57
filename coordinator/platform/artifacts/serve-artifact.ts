import type { GetArtifactQuery } from '../../contract/artifact.ts';
import type { Context } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { downloadHeaders } from './download-headers.ts';

interface Input {
  params: { prefix: string; object: string };
  query: GetArtifactQuery;
  headers: { 'if-none-match'?: string | undefined };
}

/** The stored file behind a signed URL. 403 where the URL was altered or has expired, 404 where the file is gone. */
export async function serveArtifact(
  { artifacts, note }: Context,
  { params, query, headers }: Input,
): Promise<Response> {
  const key = `sha256/${params.prefix}/${params.object}`;
  const check = artifacts.checkUrl(key, {
    fileName: query.name,
    expires: Number(query.expires),
    signature: query.signature,
  });
  if (check === 'expired') throw new DomainError('forbidden', 'This link has expired; ask for a new one');
  if (check === 'altered') throw new DomainError('forbidden', 'This link is not valid: it was altered or cut');
  const content = await artifacts.read(key);
  if (!content) throw notFound('File');
  note({ artifact: key });
  const answer = downloadHeaders(params.object, query.name);
  // The content behind a key never changes, so the tag alone decides.
  if (headers['if-none-match'] === answer['ETag']) return new Response(null, { status: 304, headers: answer });
  return new Response(new Uint8Array(content), { headers: { ...answer, 'Content-Length': String(content.length) } });
}
