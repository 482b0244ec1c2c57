import { tokenFileIntervals, tokenFileTypes } from '../../contract/token-files.ts';
import { buildArchive, type BuiltArchive } from '../../platform/archive/build-archive.ts';
import { periodsOf } from '../../platform/archive/periods.ts';
import { removeReplaced } from '../../platform/archive/remove-replaced.ts';
import type { Context } from '../../platform/context.ts';
import { readFileRows, selectFileFingerprint, selectStoredDays } from '../queries/file-rows.ts';
import { partOf, type TokenPart } from './token-part.ts';

export const tokenRows = { read: readFileRows, fingerprint: selectFileFingerprint };

/** All files of book and pulse whose period has days between `from` and `to`; each in a transaction of its own. */
export async function* buildTokenArchives(
  context: Context,
  { from, to }: { from: string; to: string },
): AsyncGenerator<BuiltArchive<TokenPart>> {
  await removeReplaced(context);
  for (const type of tokenFileTypes) {
    const days = await selectStoredDays(context.sql, type, from, to);
    for (const interval of tokenFileIntervals)
      for (const period of periodsOf(interval, days))
        yield await buildArchive(context, tokenRows, partOf(type, period));
  }
}
