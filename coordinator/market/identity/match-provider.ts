export interface MatchableProvider {
  provider_id: number;
  slug: string;
  name: string;
  aliases: readonly string[];
}

/**
 * A provider's id from its name in a source's words, null if nobody is called so. Only letters and digits count, and the
 * whole name must agree: `do` is DigitalOcean, `do something` nobody. A name that two providers claim is nobody's.
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

/** The part of a provider's name that counts: `Vast.ai`, `vast-ai` and `VastAI` are one. */
export const nameKey = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
