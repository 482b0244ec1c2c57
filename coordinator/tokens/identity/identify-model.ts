import { sellerNamed, type Seller } from '../sellers.ts';
import { withoutHosting } from './hosting-suffixes.ts';
import { aliasOf, developerOfFamily, developerOfOrg } from './identity-tables.ts';
import { labelParts, type LabelParts } from './label-parts.ts';
import { spelled } from './name-spelling.ts';

export interface ModelIdentity {
  developer: string;
  /** developer/name */
  model: string;
  /** standard, free, batch, thinking, fast, regional and others; several are joined by plus */
  variant: string;
}

interface ModelLabel {
  /** the connector's name */
  source: string;
  label: string;
  /** the seller, in the source's words; null if it names none */
  provider: string | null;
}

/**
 * The model that a label means, by rules and the reviewed table alone, independent of earlier readings; null if it cannot be
 * determined. Two labels are one model only if they lead to the same name: there is no fuzzy matching.
 */
export function identifyModel({ source, label, provider }: ModelLabel): ModelIdentity | null {
  const seller = provider === null ? null : sellerNamed(provider);
  const sellerId = seller?.seller ?? null;
  // The marketplace's own labels always begin with the developer.
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
  // A lab's own list may not name the developer.
  const lab = seller?.type === 'model-lab' ? (seller.developers[0] ?? null) : null;
  if (org === null) return developerOfFamily(bare) ?? lab;
  // `perplexity/llama-2-70b-chat` at Perplexity: the prefix is the seller, which is also a lab, and not the developer.
  const isRoute = !isDotted && seller !== null && sellerNamed(org) === seller;
  return (isRoute ? developerOfFamily(bare) : null) ?? developerOfOrg(org);
}

/**
 * For a lab that is not in the table yet, the marketplace's own prefix is used: otherwise the usage of its models would have no
 * price and be missing from the indices until somebody adds a row.
 */
const newDeveloper = ({ org, name }: LabelParts): string | null => {
  // Its own prefix: routers, and models whose maker is not said, which it named so before it gave them the prefix `stealth`.
  if (org === 'openrouter') return name.endsWith('-alpha') ? 'stealth' : null;
  return org !== null && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(org) ? org : null;
};

/** `-2024-08-06` or `-20241022` at the end of a name. */
const SNAPSHOT = /-20\d\d-?[01]\d-?[0-3]\d$/;

/** The table's row for the name as it is, then without a snapshot date, then without `-latest`; else the last of these names. */
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
  // In a name without a version `-latest` means whatever model is newest, so it is kept; likewise in all of Mistral's.
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
