import { sellerNamed, type Seller } from '../sellers.ts';
import { withoutHosting } from './hosting-suffixes.ts';
import { aliasOf, developerOfFamily, developerOfOrg } from './identity-tables.ts';
import { labelParts, type LabelParts } from './label-parts.ts';
import { spelled } from './name-spelling.ts';

export interface ModelIdentity {
  developer: string;
  /** developer/name */
  model: string;
  /** standard, free, batch, thinking, fast, regional and others; of several, joined by plus */
  variant: string;
}

interface ModelLabel {
  /** the connector's name */
  source: string;
  label: string;
  /** who sells it, in the source's words; null: it does not say */
  provider: string | null;
}

/**
 * Which model a label means, by rules and the reviewed table alone, whatever was read before; null: none that can be told.
 * Two labels are one model only if they come to the same name: nothing is matched by likeness.
 */
export function identifyModel({ source, label, provider }: ModelLabel): ModelIdentity | null {
  const seller = provider === null ? null : sellerNamed(provider);
  const sellerId = seller?.seller ?? null;
  // A label of the marketplace's own always names the developer first.
  const isMarketplace = source.startsWith('openrouter');
  const parts = labelParts(label, { isMarketplace });
  const hosted = isMarketplace ? { name: parts.name, offers: [] } : withoutHosting(parts.name, sellerId);
  const developer =
    developerOf({ ...parts, name: hosted.name }, seller) ?? (isMarketplace ? newDeveloper(parts) : null);
  if (developer === null || hosted.name === '') return null;
  const name = spelled(developer, hosted.name);
  const found = resolve(developer, name, sellerId);
  return found && withOffers(found, [...parts.offers, ...hosted.offers]);
}

function developerOf({ org, isDotted, name }: LabelParts, seller: Seller | null): string | null {
  const bare = name.replaceAll('_', '-');
  // A lab's own list need not say whose its models are.
  const lab = seller?.type === 'model-lab' ? (seller.developers[0] ?? null) : null;
  if (org === null) return developerOfFamily(bare) ?? lab;
  // `perplexity/llama-2-70b-chat` at Perplexity: the way to the seller, which is a lab as well.
  const isRoute = !isDotted && seller !== null && sellerNamed(org) === seller;
  return (isRoute ? developerOfFamily(bare) : null) ?? developerOfOrg(org);
}

/**
 * Of a lab that the table does not have yet the marketplace's own word counts: without it what is used of its models would have no
 * price, and the indices would lose it until somebody adds a row.
 */
const newDeveloper = ({ org }: LabelParts): string | null =>
  org !== null && org !== 'openrouter' && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(org) ? org : null;

/** `-2024-08-06`, `-20241022`, `-20241022` with a time behind it. */
const SNAPSHOT = /-20\d\d-?[01]\d-?[0-3]\d$/;

/** The table's word on the name as it stands, then without the day of a snapshot, then without `-latest`; else the name. */
function resolve(developer: string, name: string, seller: string | null): Omit<ModelIdentity, 'developer'> | null {
  for (const form of formsOf(developer, name)) {
    const alias = aliasOf(`${developer}/${form}`, seller);
    if (alias) return alias.model === null ? null : { model: alias.model, variant: alias.variant };
  }
  const model = `${developer}/${formsOf(developer, name).at(-1)}`;
  return { model: split(model).model, variant: split(model).variant };
}

function formsOf(developer: string, name: string): string[] {
  const undated = name.replace(SNAPSHOT, '');
  // A name without a version behind which the developer puts whatever is newest stays as it is, and so do Mistral's.
  const isMoving = developer === 'mistralai' || !/\d/.test(undated);
  return [...new Set([name, undated, isMoving ? undated : undated.replace(/-latest$/, '')])];
}

/** Anthropic sells the same model faster for more, and with thinking as a mode. */
function split(model: string): { model: string; variant: string } {
  const match = /^(anthropic\/claude-.*)-(fast|thinking)$/.exec(model);
  return match ? { model: match[1] ?? model, variant: match[2] ?? 'standard' } : { model, variant: 'standard' };
}

function withOffers({ model, variant }: Omit<ModelIdentity, 'developer'>, offers: readonly string[]): ModelIdentity {
  const all = [...new Set([...(variant === 'standard' ? [] : [variant]), ...offers])].toSorted();
  return { developer: model.slice(0, model.indexOf('/')), model, variant: all.join('+') || 'standard' };
}
