import type { Context } from '../../platform/context.ts';
import { peersOf } from './compare.ts';
import { withinPublished } from './published.ts';
import { selectModels, selectVotes } from './queries.ts';

export interface MeasuredBandwidth {
  /** GB/s of memory of one device */
  gbs: number;
  customers: number;
  machines: number;
}

/** Results of all jobs count. */
const NO_JOB = '0';

/**
 * What devices of a model are measured at: the median of one vote per customer, within what is published. Null until as many customers
 * and machines have measured it as an expectation takes; fewer would show what one of them has.
 */
export async function measuredBandwidth(
  { sql }: Pick<Context, 'sql'>,
  isModel: (gpuModel: string) => boolean,
): Promise<MeasuredBandwidth | null> {
  const model = (await selectModels(sql)).find(({ gpu_model }) => isModel(gpu_model));
  if (!model) return null;
  const votes = await selectVotes(sql, { model_key: model.model_key, bf16_engine: null }, NO_JOB);
  const { median, customers, machines } = peersOf('memory_bandwidth_gbs', votes);
  if (median === null) return null;
  return { gbs: withinPublished('memory_bandwidth_gbs', median, { ...model, bf16_engine: null }), customers, machines };
}
