import type { Context } from '../context.ts';

/** Long enough to fetch a list's files one after the other. */
export const LINK_SECONDS = 3600;

/** A URL that opens a file without a credential for an hour. */
export async function linkArchive(
  { artifacts }: Context,
  { artifact_key }: { artifact_key: string },
  fileName: string,
): Promise<{ csv_download_url: string }> {
  return { csv_download_url: await artifacts.signedUrl(artifact_key, { fileName, lifetimeSeconds: LINK_SECONDS }) };
}
