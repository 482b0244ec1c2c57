import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Platform } from '../context.ts';
import { createFilesystemStore } from './filesystem-store.ts';
import { createS3Store } from './s3/s3-store.ts';
import type { ArtifactStore, UrlCheck, SignedParts } from './store.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { checkedKey } from './object-key.ts';
import { readFile } from 'node:fs/promises';
import type { Queryable } from '../db/client.ts';
import { selectSecret, insertSecret } from './queries.ts';

/**
 * The configured store: a bucket, or DATA_DIR. `config.publicUrl` is read at each signing, so main.ts can set it once the
 * listener knows its port.
 */
export async function createArtifactStore(
  config: Pick<Config, 'dataDir' | 's3' | 'publicUrl'>,
  { sql, now, randomBytes }: Pick<Platform, 'sql' | 'now' | 'randomBytes'>,
): Promise<ArtifactStore> {
  const { dataDir, s3 } = config;
  const secret = await readOrCreateSigningSecret(sql, { dataDir, randomBytes, now });
  const links = signedLinks({ secret, publicUrl: () => config.publicUrl, now });
  if (s3) return createS3Store({ settings: s3, spool: join(dataDir, 'outgoing'), links, now, randomBytes });
  return createFilesystemStore({ dataDir, links, now, randomBytes });
}

interface Signing {
  secret: Buffer;
  /** base of the URLs, read at each signing: the port may be known only once the listener is up */
  publicUrl: () => string | null;
  now: () => Date;
}

/** Links that point to the coordinator, whatever store it uses. */
function signedLinks({ secret, publicUrl, now }: Signing): Pick<ArtifactStore, 'signedUrl' | 'checkUrl'> {
  return {
    signedUrl: async (key, { fileName, lifetimeSeconds }) => {
      const base = publicUrl();
      if (base === null) throw new Error('A URL was asked for before the public address of the service was known.');
      const expires = Math.floor(now().getTime() / 1000) + lifetimeSeconds;
      const signature = signUrl(secret, checkedKey(key), fileName, expires);
      const query = new URLSearchParams({ name: fileName, expires: String(expires), signature });
      return `${base}/artifacts/${key}?${query.toString()}`;
    },
    checkUrl: (key, signed) => checkUrl(secret, key, signed, now()),
  };
}

/** States the purpose of the signature, so that no other use of the same secret can produce a valid URL. */
const PURPOSE = 'gpumark artifact url 1';

/** HMAC-SHA256, base64url, over key, file name and expiry (Unix seconds). */
function signUrl(secret: Buffer, key: string, fileName: string, expires: number): string {
  // JSON keeps the parts separate, whatever a file name contains.
  const statement = JSON.stringify([PURPOSE, key, fileName, expires]);
  return createHmac('sha256', secret).update(statement).digest('base64url');
}

/** Checks the signature first: only an authentic URL is reported as expired. */
function checkUrl(secret: Buffer, key: string, signed: SignedParts, now: Date): UrlCheck {
  const expected = Buffer.from(signUrl(secret, key, signed.fileName, signed.expires));
  const given = Buffer.from(signed.signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'altered';
  return now.getTime() < signed.expires * 1000 ? 'good' : 'expired';
}

const SECRET_BYTES = 32;

/**
 * The secret that signs artifact URLs: one for all coordinators of a database, created at the first start. Earlier releases
 * kept it in DATA_DIR; a secret found there is imported, so that links already issued stay valid.
 */
async function readOrCreateSigningSecret(
  sql: Queryable,
  { dataDir, randomBytes, now }: { dataDir: string; randomBytes: (count: number) => Buffer; now: () => Date },
): Promise<Buffer> {
  const found = await selectSecret(sql);
  if (found) return found;
  await insertSecret(sql, (await readFormer(dataDir)) ?? randomBytes(SECRET_BYTES), now());
  const made = await selectSecret(sql);
  if (!made) throw new Error('The signing key of artifacts disappeared while it was being created.');
  return made;
}

async function readFormer(dataDir: string): Promise<Buffer | null> {
  const path = join(dataDir, 'artifact-signing.key');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  if (!/^[0-9a-f]{64}\n?$/.test(text)) {
    throw new Error(
      `The signing key ${path} is damaged. Restore it, or delete it: existing signed URLs then become invalid.`,
    );
  }
  return Buffer.from(text.trim(), 'hex');
}
