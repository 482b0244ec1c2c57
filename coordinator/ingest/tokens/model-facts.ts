import { modelName } from '../../tokens/identity/model-name.ts';
import { modelTypeOf } from '../../tokens/identity/model-type.ts';
import { parametersIn } from '../../tokens/identity/parameters.ts';
import type { ModelObservation } from '../../tokens/observations.ts';
import { storable } from '../../platform/readings/storable.ts';
import type { SaidAboutModel } from './token-connector.ts';

interface Told {
  day: string;
  label: string;
  /** developer/name */
  model: string;
  about: SaidAboutModel;
}

/** What a row tells of a model itself; null: nothing. */
export function modelFacts({ day, label, model, about }: Told): ModelObservation | null {
  const { name, contextLength, huggingFaceId, openWeights, isDeprecated, expiresOn } = about;
  const said = about.totalParam !== undefined;
  // Sizes of closed models are told by everybody and known by nobody: only an operator's file is believed.
  const isOpen = modelTypeOf({ model, huggingFaceId, openWeights }) !== 'closed-source';
  const parsed = said || !isOpen ? null : parametersIn({ name: model, huggingFaceId, description: about.description });
  const facts = {
    name: name === null ? null : modelName(storable(name)),
    contextLength,
    huggingFaceId: huggingFaceId === null ? null : storable(huggingFaceId),
    openWeights,
    totalParam: said ? (about.totalParam ?? null) : (parsed?.total ?? null),
    activeParam: said ? (about.activeParam ?? null) : (parsed?.active ?? null),
    paramEvidence: said ? (about.paramEvidence ?? null) : (parsed?.evidence ?? null),
    modelType: about.modelType ?? null,
    expiresOn,
  };
  if (!isDeprecated && Object.values(facts).every((fact) => fact === null)) return null;
  return { day, label: storable(label), model, isDeprecated, ...facts };
}
