import type { Context } from '../context.ts';
import { scheduleRemoval } from './queries.ts';
import type { StoredArtifact } from './store.ts';

/** A stored file is named in an artifact within this time, or it is removed. */
const HOUR_MS = 3_600_000;

interface FileKind {
  contentType: string;
  extension: string;
}

/**
 * Writes down that a file may have to go, before it is written: a process that dies in between, or a transaction that fails,
 * leaves a file that the sweep finds. Takes a connection of its own, so it is called outside a transaction.
 */
export function announceFile({ artifacts, sql, now }: Context, content: Buffer, kind: FileKind): Promise<void> {
  return scheduleRemoval(sql, artifacts.keyOf(content, kind), new Date(now().getTime() + HOUR_MS));
}

/** Stores the file of an artifact whose row comes next. */
export async function storeFile(context: Context, content: Buffer, kind: FileKind): Promise<StoredArtifact> {
  await announceFile(context, content, kind);
  return context.artifacts.put(content, kind);
}
