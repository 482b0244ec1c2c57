import type { Queryable } from '../../platform/db/client.ts';
import { selectModelWords } from '../queries/model-days.ts';
import { isOpenModel, modelTypeOf, type ModelType } from './model-type.ts';

export interface ModelTypes {
  types: { model: string; type: ModelType }[];
  /** models whose weights can be had, as the indices mean it */
  openModels: string[];
}

/** What every model is, by all readings that are stored. */
export async function readModelTypes(sql: Queryable): Promise<ModelTypes> {
  const words = await selectModelWords(sql);
  return {
    types: words.map((word) => ({ model: word.model, type: modelTypeOf(word) })),
    openModels: words.filter(isOpenModel).map(({ model }) => model),
  };
}
