import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Platform } from '../context.ts';
import { createFilesystemStore } from './filesystem-store.ts';
import { createS3Store } from './s3/s3-store.ts';
import { signedLinks } from './signed-links.ts';
import { readOrCreateSigningSecret } from './signing-secret.ts';
import type { ArtifactStore } from './store.ts';

/**
 * The store the configuration names: a bucket, or DATA_DIR. `config.publicUrl` is read at each signing, so main.ts may fill
 * it in once the listener knows its port.
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
