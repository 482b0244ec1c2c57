import type { Context } from '../context.ts';
import { scheduleRemoval } from './queries.ts';
import type { StoredArtifact } from './store.ts';

/** A stored file is removed unless an artifact refers to it within this time. */
const HOUR_MS = 3_600_000;

interface FileKind {
  contentType: string;
  extension: string;
}

/**
 * Schedules the removal of a file before it is written: if the process dies or the transaction fails, the sweep finds the
 * file. Takes a connection of its own, so it must be called outside a transaction.
 */
export function announceFile({ artifacts, sql, now }: Context, content: Buffer, kind: FileKind): Promise<void> {
  return scheduleRemoval(sql, artifacts.keyOf(content, kind), new Date(now().getTime() + HOUR_MS));
}

/** Stores the file of an artifact whose row is inserted next. */
export async function storeFile(context: Context, content: Buffer, kind: FileKind): Promise<StoredArtifact> {
  await announceFile(context, content, kind);
  return context.artifacts.put(content, kind);
}
