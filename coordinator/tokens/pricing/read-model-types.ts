import type { Queryable } from '../../platform/db/client.ts';
import { selectModelWords } from '../queries/model-days.ts';
import type { ModelType } from '../identity/model-type.ts';
import { isOpenModel, storedTypeOf } from './model-type.ts';

interface ModelTypes {
  types: { model: string; type: ModelType }[];
  /** models whose weights can be had, as the indices mean it */
  openModels: string[];
}

/** What every model is, by all readings that are stored. */
export async function readModelTypes(sql: Queryable): Promise<ModelTypes> {
  const words = await selectModelWords(sql);
  return {
    types: words.map((word) => ({ model: word.model, type: storedTypeOf(word) })),
    openModels: words.filter(isOpenModel).map(({ model }) => model),
  };
}
