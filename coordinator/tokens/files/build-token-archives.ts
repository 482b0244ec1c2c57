import { tokenFileIntervals, tokenFileTypes } from '../../contract/token-files.ts';
import type { BuiltArchive } from '../../platform/archive/build-archive.ts';
import { buildInTurn } from '../../platform/archive/build-in-turn.ts';
import { periodsOf } from '../../platform/archive/periods.ts';
import { removeReplaced } from '../../platform/archive/remove-replaced.ts';
import type { Context } from '../../platform/context.ts';
import { readFileRows, selectFileFingerprint, selectStoredDays } from '../queries/file-rows.ts';
import { partOf, type TokenPart } from '../token-part.ts';

export const tokenRows = { read: readFileRows, fingerprint: selectFileFingerprint };

/** All files of book and pulse whose period has days between `from` and `to`; each in a transaction of its own. */
export async function* buildTokenArchives(
  context: Context,
  { from, to }: { from: string; to: string },
): AsyncGenerator<BuiltArchive<TokenPart>> {
  await removeReplaced(context);
  for (const type of tokenFileTypes) {
    const days = await selectStoredDays(context.sql, type, from, to);
    const periods = tokenFileIntervals.flatMap((interval) => periodsOf(interval, days));
    yield* buildInTurn(
      context,
      tokenRows,
      periods.map((period) => partOf(type, period)),
    );
  }
}
