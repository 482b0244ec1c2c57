import { identifyModel, type ModelIdentity } from '../../tokens/identity/identify-model.ts';
import type { ModelObservation, PriceObservation, UsageObservation } from '../../tokens/observations.ts';
import { labOf, sellerNamed, sellerTypeOf, type Seller } from '../../tokens/sellers.ts';
import { storable } from '../../platform/readings/storable.ts';
import { Tally } from '../tally.ts';
import type {
  SaidPrice,
  SaidRow,
  TokenConnector,
  TokenReading,
  TokenRefusal,
  SaidAboutModel,
} from './token-connector.ts';
import { modelName } from '../../tokens/identity/name-spelling.ts';
import { isOpenType, modelTypeOf } from '../../tokens/identity/model-type.ts';
import { parametersIn } from '../../tokens/identity/parameters.ts';

/** The observations of a file, and what became of each of its rows. */
export interface Observed {
  prices: PriceObservation[];
  models: ModelObservation[];
  usage: UsageObservation[];
  rowsKept: number;
  tally: Tally<TokenRefusal>;
}

/** Looks up the model and seller of each row. An unmatched label is counted and kept for the operator, never guessed at. */
export function observeTokens(
  { name: source, namesFreeOffers = false }: TokenConnector,
  { rows }: TokenReading,
  day: string,
): Observed {
  const observed: Observed = { prices: [], models: [], usage: [], rowsKept: 0, tally: new Tally<TokenRefusal>() };
  const { tally } = observed;
  for (const said of rows) {
    tally.rowsRead += 1;
    if ('refused' in said) {
      tally.refuse(said.refused, said.row, said.detail);
      continue;
    }
    const identity = identifyModel({ source, label: said.label, provider: said.provider });
    if (said.usage) keepUsage(observed, said, identity);
    else if (identity === null) tally.leaveUnmatched('model', labelText(said), day);
    else keepSaid(observed, said, { identity, day, namesFreeOffers });
  }
  return observed;
}

/** The dataset's item for the usage of all other models together. */
const OTHER = 'other';

/** Usage of an unknown model is kept too: it is part of the market. */
function keepUsage(observed: Observed, { row, label, provider, usage }: SaidRow, identity: ModelIdentity | null): void {
  if (!usage) return;
  observed.rowsKept += 1;
  if (identity === null && usage.permaslug !== OTHER)
    observed.tally.leaveUnmatched('model', labelText({ label, provider }), usage.day);
  observed.usage.push({
    day: usage.day,
    row,
    permaslug: storable(usage.permaslug),
    variant: identity?.variant ?? usage.variant,
    model: identity?.model ?? null,
    tokens_total: usage.total,
    tokens_input: usage.input,
    tokens_output: usage.output,
  });
}

interface Known {
  identity: ModelIdentity;
  day: string;
  namesFreeOffers: boolean;
}

function keepSaid(observed: Observed, said: SaidRow, { identity, day, namesFreeOffers }: Known): void {
  const { prices, models, tally } = observed;
  if (said.price) {
    const seller = said.provider === null ? labOf(identity.developer) : sellerNamed(said.provider);
    if (seller === null) {
      tally.leaveUnmatched('provider', said.provider ?? identity.developer, day);
      return;
    }
    const variant = namesFreeOffers ? identity.variant : variantOf(identity.variant, said.price);
    prices.push(priceOf(said, said.price, { identity, seller, variant, day }));
  }
  observed.rowsKept += 1;
  const facts = said.about && modelFacts({ day, label: said.label, model: identity.model, about: said.about });
  if (facts) models.push(facts);
}

/** A price of 0 for both input and output counts as the variant `free`. */
function variantOf(variant: string, { input, output }: SaidPrice): string {
  const isFree = Number(input ?? 0) === 0 && Number(output ?? 0) === 0;
  if (!isFree || variant.split('+').includes('free')) return variant;
  return variant === 'standard' ? 'free' : `${variant}+free`;
}

interface Sold {
  identity: ModelIdentity;
  seller: Seller;
  variant: string;
  day: string;
}

const priceOf = (said: SaidRow, price: SaidPrice, { identity, seller, variant, day }: Sold): PriceObservation => ({
  day,
  row_number: said.row,
  label: storable(said.label),
  model: identity.model,
  variant,
  permaslug: said.permaslug === undefined ? null : storable(said.permaslug),
  seller: seller.seller,
  seller_type: sellerTypeOf(seller, identity.developer),
  valid_from: price.validFrom,
  valid_to: price.validTo,
  price_input: price.input,
  price_output: price.output,
  price_cached_input: price.cachedInput,
  raw: price.raw,
});

interface Told {
  day: string;
  label: string;
  /** developer/name */
  model: string;
  about: SaidAboutModel;
}

/** What a row states about the model itself; null if nothing. */
function modelFacts({ day, label, model, about }: Told): ModelObservation | null {
  const { name, contextLength, huggingFaceId, openWeights, isDeprecated, expiresOn } = about;
  const said = about.totalParam !== undefined;
  // Sizes of closed models are often stated and never known: only an operator's file is believed.
  const isOpen = isOpenType(modelTypeOf({ model, huggingFaceId, openWeights })) === true;
  const parsed = said || !isOpen ? null : parametersIn({ name: model, huggingFaceId, description: about.description });
  const facts = {
    name: name === null ? null : modelName(storable(name)),
    context_length: contextLength,
    hugging_face_id: huggingFaceId === null ? null : storable(huggingFaceId),
    open_weights: openWeights,
    total_param: said ? (about.totalParam ?? null) : (parsed?.total ?? null),
    active_param: said ? (about.activeParam ?? null) : (parsed?.active ?? null),
    param_evidence: said ? (about.paramEvidence ?? null) : (parsed?.evidence ?? null),
    model_type: about.modelType ?? null,
    expires_on: expiresOn,
  };
  if (!isDeprecated && Object.values(facts).every((fact) => fact === null)) return null;
  return { day, label: storable(label), model, is_deprecated: isDeprecated, ...facts };
}

const BETWEEN = ': ';

/** A label as the operator sees it among the unmatched ones, prefixed with the seller if the source names one. */
const labelText = ({ label, provider }: { label: string; provider: string | null }): string =>
  provider === null ? label : `${provider}${BETWEEN}${label}`;

/** The reverse of `labelText`. */
export function labelOfText(text: string): { label: string; provider: string | null } {
  const at = text.indexOf(BETWEEN);
  return at < 0
    ? { label: text, provider: null }
    : { provider: text.slice(0, at), label: text.slice(at + BETWEEN.length) };
}
