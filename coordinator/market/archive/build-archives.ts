import { buildArchive, type BuiltArchive } from '../../platform/archive/build-archive.ts';
import { periodsOf } from '../../platform/archive/periods.ts';
import { removeReplaced } from '../../platform/archive/remove-replaced.ts';
import type { Context } from '../../platform/context.ts';
import { readArchiveRows, selectFingerprint, selectPricedDays, type GpuPart } from '../queries/archive-rows.ts';
import { schemaOn } from './archive-schema.ts';

const tiers = [2, 3] as const;
const types = ['rental', 'retail'] as const;
const intervals = ['day', 'month', 'quarter', 'year'] as const;
const rows = { read: readArchiveRows, fingerprint: selectFingerprint };

/**
 * All files of both tiers whose period has days between `from` and `to`, in the columns in force today. One after the
 * other, each in a transaction of its own: what was built stays where a later one fails, and is not built again.
 */
export async function* buildArchives(
  context: Context,
  { from, to }: { from: string; to: string },
): AsyncGenerator<BuiltArchive<GpuPart>> {
  const today = context.now().toISOString().slice(0, 10);
  await removeReplaced(context);
  for (const type of types) {
    const days = await selectPricedDays(context.sql, type, from, to);
    for (const tier of tiers)
      for (const interval of intervals)
        for (const period of periodsOf(interval, days))
          yield await buildArchive(context, rows, { tier, type, period, version: schemaOn(today, type) });
  }
}
