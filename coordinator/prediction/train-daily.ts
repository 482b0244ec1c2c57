import type { Context } from '../platform/context.ts';
import { claimDay, endDay } from './queries.ts';
import { train } from './train.ts';

/** UTC; by then the night's files have been read. */
const FROM_HOUR = 5;

/** Once a day, by one of the coordinators; a step of the background. */
export async function trainDaily(context: Context): Promise<void> {
  const now = context.now();
  const day = now.toISOString().slice(0, 10);
  if (now.getUTCHours() < FROM_HOUR || !(await claimDay(context.sql, { day, now }))) return;
  const training = await train(context);
  await endDay(context.sql, { day, now: context.now() });
  if (training === null) return;
  const { model_version, outcome, why } = training;
  if (outcome === 'refused')
    context.log.warn({ model_version, why }, 'a model did not pass its back-test; the one before it stays');
  else context.log.info({ model_version, outcome }, 'prediction trained');
}
