import { modelTypeOf, type ModelType } from '../identity/model-type.ts';
import type { ModelWords } from '../queries/model-days.ts';

/** A property of the model, not of the day: the operator's word, else its licence, else whether its weights can be had. */
export const storedTypeOf = ({ model, operator_type, is_open }: ModelWords): ModelType =>
  operator_type ?? modelTypeOf({ model, huggingFaceId: null, openWeights: is_open });

/** As the indices mean it: by the operator's word and what catalogues say alone, which are stored; a table of ours may change. */
export const isOpenModel = ({ operator_type, is_open }: ModelWords): boolean =>
  operator_type === null ? is_open : operator_type !== 'closed-source';
