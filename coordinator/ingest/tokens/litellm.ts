import { z } from 'zod';
import { scopeOf } from '../reading/file-names.ts';
import { checked } from '../reading/read-json.ts';
import { readExactJson, saidPrice, PER_TOKEN } from './said-price.ts';
import type { SaidAboutModel, TokenConnector, TokenFile, TokenReading, TokenRow } from './token-connector.ts';

const entry = z.object({ mode: z.string().optional() }).catchall(z.unknown());
const prices = z.record(z.string(), entry);
type Entry = z.output<typeof entry>;

/** Modes that sell text; a file of 2024 states no mode for some models that do. */
const TEXT_MODES = new Set(['chat', 'completion', 'responses']);
/** `together-ai-7.1b-20b`, `fireworks-ai-moe-up-to-56b`, `fireworks-ai-default` */
const BY_SIZE = /^(together|fireworks)-ai-/;

/**
 * LiteLLM's price file: USD per token, by its own names, which say where a model runs and whose it is. Prices for longer
 * prompts, batches, audio and images are in the same record as the base prices and stay in `raw`.
 */
export const litellm: TokenConnector = {
  name: 'litellm',
  title: 'LiteLLM, prices by provider',
  url: 'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
  read,
};

async function read(file: TokenFile): Promise<TokenReading> {
  const entries = Object.entries(checked(file, prices, await readExactJson(file), ''));
  const rows = entries.map(([label, said], at): TokenRow => {
    const row = at + 1;
    if (label === 'sample_spec') return { row, refused: 'sample', detail: label };
    const { mode } = said;
    if (mode !== undefined && !TEXT_MODES.has(mode)) return { row, refused: 'other-mode', detail: `${label}: ${mode}` };
    if (BY_SIZE.test(label)) return { row, refused: 'by-size', detail: label };
    const provider = providerOf(label, said);
    if (provider === 'ollama') return { row, refused: 'own-machine', detail: label };
    const price = saidPrice(
      {
        input: said['input_cost_per_token'],
        output: said['output_cost_per_token'],
        cachedInput: said['cache_read_input_token_cost'] ?? said['input_cost_per_token_cache_hit'],
      },
      { unit: PER_TOKEN, raw: costsOf(said) },
    );
    if (typeof price === 'string') return { row, refused: price, detail: label };
    return { row, label, provider, price, about: about(said) };
  });
  return { scope: scopeOf(file.name, null), rows };
}

/** The seller that the record states; the label's prefix if it states none, or for `azure/`, where it may name OpenAI. */
function providerOf(label: string, said: Entry): string | null {
  const [first = ''] = label.split('/');
  const stated = said['litellm_provider'];
  if (label.includes('/') && (typeof stated !== 'string' || first === 'azure')) return first;
  if (typeof stated === 'string' && stated !== '') return stated;
  // Without either, AWS sells a dotted name, and the developer itself any other.
  return /^[a-z0-9]+\.[a-z]/.test(label) ? 'bedrock' : null;
}

const costsOf = (said: Entry): Record<string, unknown> =>
  Object.fromEntries(Object.entries(said).filter(([name]) => name.includes('cost')));

function about(said: Entry): SaidAboutModel {
  const length = Number(said['max_input_tokens'] ?? said['max_tokens'] ?? 0);
  const expiresOn = said['deprecation_date'];
  return {
    name: null,
    description: null,
    contextLength: Number.isSafeInteger(length) && length > 0 ? length : null,
    huggingFaceId: null,
    openWeights: null,
    isDeprecated: false,
    expiresOn: typeof expiresOn === 'string' && /^\d{4}-\d\d-\d\d$/.test(expiresOn) ? expiresOn : null,
  };
}
