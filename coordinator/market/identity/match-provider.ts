export interface MatchableProvider {
  provider_id: number;
  slug: string;
  name: string;
  aliases: readonly string[];
}

/**
 * Looks up a provider's id by the name a source uses; null if it is unknown. Only letters and digits count, and the
 * whole name must match: `do` is DigitalOcean, `do something` is unknown. A name that two providers claim matches
 * neither.
 */
export function createProviderMatcher(providers: readonly MatchableProvider[]): (said: string) => number | null {
  const ids = new Map<string, number | null>();
  for (const { provider_id, slug, name, aliases } of providers)
    for (const key of [slug, name, ...aliases].map(nameKey)) {
      const other = ids.get(key);
      ids.set(key, other === undefined || other === provider_id ? provider_id : null);
    }
  ids.delete('');
  return (said) => ids.get(nameKey(said)) ?? null;
}

/** The part of a provider's name that is compared: `Vast.ai`, `vast-ai` and `VastAI` are equal. */
export const nameKey = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
