import type { Config } from '../config.ts';
import type { Platform } from '../context.ts';
import { createFilesystemStore } from './filesystem-store.ts';
import type { ArtifactStore } from './store.ts';

/**
 * The store the configuration names. `config.publicUrl` is read at each signing, so main.ts may fill it in once the
 * listener knows its port. Throws where ARTIFACT_URL is set: only the filesystem is supported.
 */
export async function createArtifactStore(
  config: Pick<Config, 'dataDir' | 'artifactUrl' | 'publicUrl'>,
  edges: Pick<Platform, 'now' | 'randomBytes'>,
): Promise<ArtifactStore> {
  if (config.artifactUrl !== null) {
    throw new Error(
      'ARTIFACT_URL is set, but this version keeps artifacts in DATA_DIR/artifacts only. Unset ARTIFACT_URL.',
    );
  }
  return createFilesystemStore({ ...edges, dataDir: config.dataDir, publicUrl: () => config.publicUrl });
}
