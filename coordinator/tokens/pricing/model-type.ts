export type ModelType = 'open-source' | 'open-weight' | 'closed-source';

/** What all readings together say of a model, whatever day they are of. */
export interface ModelWords {
  model: string;
  /** the operator's newest word */
  operator_type: ModelType | null;
  /** a Hugging Face id in any stored catalogue, or somebody who says that the weights can be had */
  is_open: boolean;
  hugging_face_id: string | null;
}

/** Whether the licence under which weights can be had is one of open source; of no model is that known until a table of licences is asked here. */
const isOpenSource = (_model: { model: string; huggingFaceId: string | null }): boolean => false;

/** A property of the model, not of the day. */
export function modelTypeOf({ model, operator_type, is_open, hugging_face_id }: ModelWords): ModelType {
  if (operator_type !== null) return operator_type;
  if (!is_open) return 'closed-source';
  return isOpenSource({ model, huggingFaceId: hugging_face_id }) ? 'open-source' : 'open-weight';
}
