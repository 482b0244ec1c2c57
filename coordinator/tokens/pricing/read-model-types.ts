import type { Queryable } from '../../platform/db/client.ts';
import { selectModelWords } from '../queries/model-days.ts';
import { modelTypeOf, type ModelType } from './model-type.ts';

export interface ModelTypes {
  types: { model: string; type: ModelType }[];
  /** models whose weights can be had */
  openModels: string[];
}

/** What every model is, by all readings that are stored. */
export async function readModelTypes(sql: Queryable): Promise<ModelTypes> {
  const types = (await selectModelWords(sql)).map((words) => ({ model: words.model, type: modelTypeOf(words) }));
  return { types, openModels: types.filter(({ type }) => type !== 'closed-source').map(({ model }) => model) };
}
