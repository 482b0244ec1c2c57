import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { artifactKeyPattern } from '../../../contract/artifact.ts';
import type { S3Settings } from './s3-settings.ts';
import { onDisk } from '../disk-failure.ts';
import { downloadHeaders, isPackedCsv } from '../download-headers.ts';
import { checkedPieces, pieces, writeFile } from '../object-files.ts';
import { checkedKey, hashOfKey, keyOfHash, MAX_OBJECT_BYTES } from '../object-key.ts';
import type { ArtifactStore, StoredArtifact } from '../store.ts';
import { PART_BYTES, uploadInParts } from './multipart.ts';
import { createS3Client } from './s3-client.ts';

interface Edges {
  settings: S3Settings;
  /** Folder for streams before their upload: an object is named by its hash, which is known only at its end. */
  spool: string;
  links: Pick<ArtifactStore, 'signedUrl' | 'checkUrl'>;
  now: () => Date;
  randomBytes: (count: number) => Buffer;
}

/** Objects in a bucket, shared by any number of coordinators. The store is not contacted before the first call. */
export function createS3Store({ settings, spool, links, now, randomBytes }: Edges): ArtifactStore {
  const client = createS3Client(settings, now);
  const isThere = async (key: string, sizeBytes: number): Promise<boolean> => {
    const answer = await client.call({ method: 'HEAD', key, also: [404] });
    return answer.ok && Number(answer.headers.get('content-length')) === sizeBytes;
  };
  const putWhole = async (content: Buffer, contentType: string, extension: string): Promise<StoredArtifact> => {
    const sizeBytes = content.length;
    if (sizeBytes === 0) throw new Error(`An artifact has between 1 and ${MAX_OBJECT_BYTES} bytes.`);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const key = keyOfHash(sha256, extension);
    if (!(await isThere(key, sizeBytes))) {
      // The store compares the hash and refuses content altered in transit.
      const headers = { 'content-type': contentType, 'x-amz-content-sha256': sha256 };
      await client.call({ method: 'PUT', key, body: content, headers });
    }
    return { key, sha256, sizeBytes };
  };
  const putStream = async (content: AsyncIterable<Uint8Array>, contentType: string, extension: string) => {
    await onDisk(spool, mkdir(spool, { recursive: true, mode: 0o700 }));
    const path = join(spool, randomBytes(12).toString('hex'));
    try {
      const { sha256, sizeBytes } = await onDisk(spool, writeFile(path, content, MAX_OBJECT_BYTES));
      if (sizeBytes <= PART_BYTES) return await putWhole(await readFile(path), contentType, extension);
      const key = keyOfHash(sha256, extension);
      if (!(await isThere(key, sizeBytes)))
        await uploadInParts(client, key, { path, sizeBytes, headers: { 'content-type': contentType } });
      return { key, sha256, sizeBytes };
    } finally {
      await rm(path, { force: true });
    }
  };
  return {
    ...links,
    keyOf: (content, { extension }) => keyOfHash(createHash('sha256').update(content).digest('hex'), extension),
    put: (content, { contentType, extension }) => {
      // Throws on a malformed extension before anything is sent.
      keyOfHash('0'.repeat(64), extension);
      return Buffer.isBuffer(content) && content.length <= PART_BYTES
        ? putWhole(content, contentType, extension)
        : putStream(Buffer.isBuffer(content) ? once(content) : content, contentType, extension);
    },
    open: async (key) => {
      if (!artifactKeyPattern.test(key)) return null;
      const found = await client.call({ method: 'HEAD', key, also: [404] });
      if (!found.ok) return null;
      const read = async (headers = {}): Promise<AsyncIterable<Uint8Array>> => {
        const answer = await client.call({ method: 'GET', key, headers, untimed: true });
        return answer.body ?? nothing();
      };
      return {
        sizeBytes: Number(found.headers.get('content-length')),
        version: found.headers.get('etag') ?? '',
        content: checkedPieces(key, hashOfKey(key), read),
        part: ({ first, last }) => pieces(() => read({ range: `bytes=${first}-${last}` })),
      };
    },
    remove: async (key) => {
      await client.call({ method: 'DELETE', key: checkedKey(key), also: [404] });
    },
    signedUrl: async (key, options) => {
      const { fileName, lifetimeSeconds } = options;
      const [, , object = ''] = checkedKey(key).split('/');
      // A store cannot unpack gzip for the client.
      if (!settings.linksToStore || isPackedCsv(object, fileName)) return links.signedUrl(key, options);
      const { 'Content-Disposition': disposition = '', 'Content-Type': type = '' } = downloadHeaders(object, fileName);
      const query = { 'response-content-disposition': disposition, 'response-content-type': type };
      return client.presign(key, query, lifetimeSeconds, now());
    },
  };
}

async function* once(content: Buffer): AsyncGenerator<Buffer, void> {
  yield content;
}

async function* nothing(): AsyncGenerator<Buffer, void> {}
