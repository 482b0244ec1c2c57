import type { Context } from '../context.ts';
import { scheduleRemoval } from './queries.ts';
import type { StoredArtifact } from './store.ts';

/** Whoever stores a file names it in an artifact within this time, or it goes. */
const HOUR_MS = 3_600_000;

/**
 * Stores the file of an artifact whose row comes next. That it may have to go is written down first: a process that dies
 * in between leaves a file that the sweep finds.
 */
export async function storeFile(
  { artifacts, sql, now }: Context,
  content: Buffer,
  object: { contentType: string; extension: string },
): Promise<StoredArtifact> {
  await scheduleRemoval(sql, artifacts.keyOf(content, object), new Date(now().getTime() + HOUR_MS));
  return artifacts.put(content, object);
}
