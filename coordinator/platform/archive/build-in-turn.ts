import type { Context } from '../context.ts';
import type { ArchivePart, ArchiveRows } from './archive-part.ts';
import { buildArchive, type BuiltArchive } from './build-archive.ts';

/** Small files wait for the disk about as long as for the database, so the next one is read while one is written. */
const AT_ONCE = 2;

/** The files of these parts in their order, two at a time. Where one fails, the one beside it is finished first. */
export async function* buildInTurn<P extends ArchivePart>(
  context: Context,
  rows: ArchiveRows<P>,
  parts: Iterable<P>,
): AsyncGenerator<BuiltArchive<P>> {
  const building: Promise<BuiltArchive<P>>[] = [];
  try {
    for (const part of parts) {
      const built = buildArchive(context, rows, part);
      // Looked at in its turn, which may come after it has failed.
      built.catch(() => undefined);
      building.push(built);
      if (building.length === AT_ONCE) yield await takeFirst(building);
    }
    while (building.length > 0) yield await takeFirst(building);
  } finally {
    await Promise.allSettled(building);
  }
}

function takeFirst<T>(waiting: Promise<T>[]): Promise<T> {
  const [first] = waiting.splice(0, 1);
  if (first === undefined) throw new RangeError('nothing is being built');
  return first;
}
