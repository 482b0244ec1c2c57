import type { Context } from '../platform/context.ts';

/** One item of a sweep: its failure is logged and keeps none of the others, of other customers, from being done. */
export async function apart(context: Context, item: Record<string, string>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    context.log.error({ err: error, ...item }, 'the sweep could not finish this one; it is tried again at the next');
  }
}
