import type { Context } from '../../platform/context.ts';
import { summariseTimes } from '../queries/observations.ts';

/** Has the index over time know what was just written into these months, also by a transaction that has not ended. */
export async function summariseMonths({ sql }: Context, months: readonly string[]): Promise<void> {
  await sql.begin((short) => summariseTimes(short, months)).catch(unlessLocked);
}

/** A vacuum that has the table brings the index up to date itself; without it prices take longer, and are the same. */
function unlessLocked(error: unknown): void {
  const isLocked = error instanceof Error && 'code' in error && error.code === '55P03';
  if (!isLocked) throw error;
}
