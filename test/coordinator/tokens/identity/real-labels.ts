import { sellerNamed } from '../../../../coordinator/tokens/sellers.ts';
import { litellm } from '../../../../coordinator/ingest/tokens/litellm.ts';
import { rawJson, readSharedTokens } from '../../ingest/tokens/read-tokens.ts';
import { realTokenFiles } from '../../ingest/real-files.ts';

export interface RealLabel {
  /** the connector's name; both of OpenRouter's are one: they name a model alike */
  source: string;
  provider: string | null;
  label: string;
}

interface Catalogue {
  data: { id: string; canonical_slug: string }[];
}
interface Rankings {
  data: { model_permaslug: string; variant: string }[];
}
type Providers = { id: string; models: { id: string }[] }[];
interface Vendor {
  vendor: string;
  models: { id: string }[];
}

/** Every label of the publishers' files once, in the order of the alphabet. */
export async function realLabels(): Promise<RealLabel[]> {
  const found = new Map<string, RealLabel>();
  const add = (source: string, provider: string | null, label: string): void =>
    void found.set(`${source} ${provider} ${label}`, { source, provider, label });
  for (const path of realTokenFiles.catalogues)
    for (const { id, canonical_slug } of (rawJson(path) as Catalogue).data)
      add('openrouter-models', 'openrouter', canonical_slug + (/:.*$/.exec(id)?.[0] ?? ''));
  for (const path of realTokenFiles.rankings)
    for (const { model_permaslug, variant } of (rawJson(path) as Rankings).data)
      if (model_permaslug !== '')
        add(
          'openrouter-models',
          'openrouter',
          variant === 'standard' ? model_permaslug : `${model_permaslug}:${variant}`,
        );
  for (const path of realTokenFiles.litellm) {
    const { reading } = await readSharedTokens(litellm, path, '2026-08-22');
    const entries = Object.entries(rawJson(path) as Record<string, { litellm_provider?: string }>);
    for (const [at, [label, { litellm_provider }]] of entries.entries()) {
      const row = reading.rows[at];
      if (label === 'sample_spec' || !row) continue;
      // Who sells it is told by the connector; of what it refuses the file's own word is taken.
      add('litellm', 'refused' in row ? (litellm_provider ?? null) : row.provider, label);
    }
  }
  for (const path of realTokenFiles.genai)
    for (const { id, models } of rawJson(path) as Providers)
      for (const model of models) add('genai-prices', id, model.id);
  // What a provider that the table does not have sells is not kept.
  for (const { provider, label } of modelsDevNames()) if (sellerNamed(provider)) add('models-dev', provider, label);
  for (const path of realTokenFiles.vendors) {
    const { vendor, models } = rawJson(path) as Vendor;
    for (const { id } of models) add('llm-prices', vendor, id);
  }
  return [...found.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, label]) => label);
}

type Catalogued = Record<string, { models: Record<string, { name?: string; modalities?: { output?: string[] } }> }>;

/** Every label of models.dev for a model that writes text, with the name that is shown for it. */
export const modelsDevNames = (): { provider: string; label: string; name: string }[] =>
  realTokenFiles.modelsDev.flatMap((path) =>
    Object.entries(rawJson(path) as Catalogued).flatMap(([provider, { models }]) =>
      Object.entries(models)
        .filter(([, { modalities }]) => modalities?.output?.includes('text') ?? true)
        .map(([label, { name = label }]) => ({ provider, label, name })),
    ),
  );
