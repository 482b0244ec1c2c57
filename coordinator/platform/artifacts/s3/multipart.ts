import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { S3Client } from './s3-client.ts';

/** S3 takes at most 10,000 parts of at least 5 MiB; at this size 8 GiB are 512 parts. */
export const PART_BYTES = 16 * 1024 * 1024;
const AT_A_TIME = 4;

/**
 * Uploads a file in parts, a few at a time, so that only these are in memory. The object appears, complete, once all parts
 * are uploaded; a failed upload is aborted, so that no stored parts are charged.
 */
export async function uploadInParts(
  client: S3Client,
  key: string,
  { path, sizeBytes, headers }: { path: string; sizeBytes: number; headers: Record<string, string> },
): Promise<void> {
  const begun = await client.call({ method: 'POST', key, query: { uploads: '' }, headers });
  const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec(await begun.text())?.[1];
  if (uploadId === undefined) throw new Error('The object store started a multipart upload without returning its id.');
  try {
    const tags = await uploadParts(client, key, { path, sizeBytes, uploadId });
    const list = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`).join('');
    const body = Buffer.from(`<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`);
    const ended = await client.call({ method: 'POST', key, query: { uploadId }, body });
    // S3 answers this call with 200 before it knows whether it succeeds.
    const text = await ended.text();
    if (/<Error>/.test(text)) throw new Error('The object store could not put the parts of an upload together.');
  } catch (error) {
    await client.call({ method: 'DELETE', key, query: { uploadId }, also: [404] }).catch(() => undefined);
    throw error;
  }
}

async function uploadParts(
  client: S3Client,
  key: string,
  { path, sizeBytes, uploadId }: { path: string; sizeBytes: number; uploadId: string },
): Promise<string[]> {
  const count = Math.ceil(sizeBytes / PART_BYTES);
  const tags: string[] = [];
  let next = 0;
  const file = await open(path, 'r');
  const lane = async (): Promise<void> => {
    while (next < count) {
      const at = next;
      next += 1;
      const length = Math.min(PART_BYTES, sizeBytes - at * PART_BYTES);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, at * PART_BYTES);
      const query = { partNumber: String(at + 1), uploadId };
      const headers = { 'x-amz-content-sha256': createHash('sha256').update(buffer).digest('hex') };
      const answer = await client.call({ method: 'PUT', key, query, body: buffer, headers });
      tags[at] = answer.headers.get('etag') ?? '';
    }
  };
  try {
    const lanes = await Promise.allSettled(Array.from({ length: AT_A_TIME }, lane));
    const failed = lanes.find((ended) => ended.status === 'rejected');
    if (failed) throw failed.reason;
  } finally {
    await file.close();
  }
  return tags;
}
