import type { ProviderCodes } from '../contract/carbon.ts';
import type { Region } from './factors/edition.ts';
import type { HotCarbon } from './hot-carbon.ts';

/** Names of providers in addition to their ids; other providers are found by id alone. */
const NAMES: Record<string, string> = {
  aws: 'Amazon Web Services',
  azure: 'Microsoft Azure',
  gcp: 'Google Cloud',
  oci: 'Oracle Cloud Infrastructure',
  ibm: 'IBM Cloud',
  alibaba: 'Alibaba Cloud',
  ovhcloud: 'OVHcloud',
};

const codesOf = (regions: readonly Region[]): ProviderCodes['codes'] =>
  regions.map(({ code, name, country_code, zone }) => ({ code, name, country_code, carbon_region_code: zone }));

const nameOf = (provider: string): string => NAMES[provider] ?? provider;

function findProvider({ regions }: HotCarbon, asked: string): [provider: string, regions: readonly Region[]] | null {
  const wanted = asked.trim().toLowerCase();
  const found = [...regions].find(([id]) => id === wanted || nameOf(id).toLowerCase() === wanted);
  return found ?? null;
}

/** Null if there is no such provider, or it has no such region. */
export function findRegion(carbon: HotCarbon, provider: string, code: string): Region | null {
  const wanted = code.trim().toLowerCase();
  return findProvider(carbon, provider)?.[1].find((region) => region.code.toLowerCase() === wanted) ?? null;
}

export const listProviders = ({ regions }: HotCarbon) => ({
  providers: [...regions.keys()].map((provider) => ({ provider, name: nameOf(provider) })),
});

export const listProvidersWithCodes = ({ regions }: HotCarbon) => ({
  providers: [...regions].map(([provider, its]) => ({ provider, name: nameOf(provider), codes: codesOf(its) })),
});

/** Both null if there is no such provider. */
export function providerCodes(carbon: HotCarbon, asked: string): ProviderCodes | { provider: null; codes: null } {
  const found = findProvider(carbon, asked);
  return found ? { provider: found[0], codes: codesOf(found[1]) } : { provider: null, codes: null };
}

/** The codes of a provider that can be chosen in forms, which are those named above. Null for all others. */
export function selectableCodes(carbon: HotCarbon, asked: string): ProviderCodes | null {
  const found = findProvider(carbon, asked);
  if (!found || !(found[0] in NAMES)) return null;
  return { provider: found[0], codes: codesOf(found[1]) };
}
