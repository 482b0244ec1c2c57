import type { Queryable } from '../../platform/db/client.ts';
import { selectModelWords, type ModelWords } from '../queries/model-days.ts';
import { type ModelType, modelTypeOf } from '../identity/model-type.ts';

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

/** A property of the model, not of the day: the operator's word, else its licence, else whether its weights can be had. */
const storedTypeOf = ({ model, operator_type, is_open }: ModelWords): ModelType =>
  operator_type ?? modelTypeOf({ model, huggingFaceId: null, openWeights: is_open });

/** As the indices mean it: by the operator's word and what catalogues say alone, which are stored; a table of ours may change. */
const isOpenModel = ({ operator_type, is_open }: ModelWords): boolean =>
  operator_type === null ? is_open : operator_type !== 'closed-source';
