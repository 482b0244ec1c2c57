/** A label split into the developer that it names, the name that is left, and offers. */
export interface LabelParts {
  /** the word before the name, lower case; null if there is none */
  org: string | null;
  /** it precedes a dot, where only the developer is written and never the seller */
  isDotted: boolean;
  name: string;
  /** offers that the label names: free, regional, fine-tuned */
  offers: string[];
}

/** Words before a name that say where it runs and never who made it. */
const HOSTS = new Set(
  (
    'accounts fireworks models routers bedrock converse invoke azure azure_ai vertex_ai gemini palm openrouter together_ai ' +
    'fireworks_ai groq deepinfra anyscale hyperbolic lambda_ai nscale sambanova cerebras friendliai featherless_ai ' +
    'gradient_ai snowflake databricks watsonx sagemaker replicate cloudflare @cf @hf thebloke oci aiml meta_llama ' +
    'vercel_ai_gateway codestral text-completion-codestral dashscope volcengine maas global global-standard'
  ).split(' '),
);
const REGION = /^((us|eu|ap|ca|sa|af|me)(-gov)?(-(north|south|east|west|central)+(east|west)?-\d)?|\*)$/;
const COMMITMENT = /^\d+-month-commitment$/;
/** `us.anthropic.claude-...`: the part of the world across which AWS distributes requests. */
const DOTTED = /^(?:(us|eu|apac|au|jp|ca|us-gov|regional|global)\.)?([a-z][a-z0-9]*)\.(?=[a-z])(.+)$/;
const DOTTED_ORGS = new Set(
  (
    'anthropic amazon meta mistral cohere ai21 deepseek openai qwen google nvidia writer xai stability moonshot ' +
    'moonshotai minimax zai luma twelvelabs'
  ).split(' '),
);
/** OpenAI's `ft:gpt-4o:...`, and Azure's form of it. */
const FINE_TUNED = /(^|\/)ft:|\.ft-/;
/** Words after the colon in labels of a marketplace. */
const OFFERS = new Set(['free', 'thinking', 'batch', 'extended', 'nitro', 'floor', 'beta', 'exacto', 'online', 'flex']);

/** Strips what says where a model runs and how it is sold. */
export function labelParts(label: string, { isMarketplace }: { isMarketplace: boolean }): LabelParts {
  // Vertex AI writes `@` before a snapshot's date; `@default` is the model itself.
  const text = label
    .trim()
    .toLowerCase()
    .replaceAll('%3a', ':')
    .replace(/@default$/, '')
    .replace(/(?<=[a-z\d])@/, '-');
  const offers: string[] = [];
  let rest = text;
  if (FINE_TUNED.test(rest)) {
    offers.push('fine-tuned');
    rest = rest.replace(/(^|\/)ft:/, '$1').replace(/(:|\.ft-|-$).*$/, '');
  }
  const segments = rest.split('/');
  const name = segments.pop() ?? '';
  const orgs: string[] = [];
  for (const segment of segments) {
    if (COMMITMENT.test(segment)) offers.push('committed');
    else if (REGION.test(segment)) {
      // A commitment for any region has `*`.
      if (segment !== '*') offers.push('regional');
    } else if (isMarketplace || !HOSTS.has(segment)) orgs.push(segment);
  }
  return dotted({ org: orgs.at(-1) ?? null, isDotted: false, name, offers });
}

/** AWS, and those who follow it, write the developer before a dot and a revision after a colon. */
function dotted(parts: LabelParts): LabelParts {
  const match = parts.org === null ? DOTTED.exec(parts.name) : null;
  const [, area, org, bare = ''] = match ?? [];
  if (org === undefined || !DOTTED_ORGS.has(org)) return withOffer(parts);
  const offers = area === undefined || area === 'global' ? parts.offers : [...parts.offers, 'regional'];
  return { org, isDotted: true, name: withoutRevision(org, bare), offers };
}

function withoutRevision(org: string, name: string): string {
  // Claude 2.1 is `claude-v2:1`, Mistral 7B v0.2 `mistral-7b-instruct-v0:2`, Nemotron Nano v2 `...-v2:0`.
  if (org === 'anthropic' && /^claude-v\d(:\d)?$/.test(name)) return name.replace('v', '').replace(':', '.');
  if (/-v0:\d$/.test(name)) return name.replace(':', '.');
  // In these names the version is the model's own.
  if (org === 'nvidia' || /embed|rerank/.test(name)) return name.replace(/:\d+$/, '');
  return name.replace(/-v?\d+:\d+(:\d+k)?$/, '').replace(/(?<!-nova)-v\d+$/, '');
}

function withOffer(parts: LabelParts): LabelParts {
  const at = parts.name.indexOf(':');
  if (at < 0) return parts;
  const [name, offer] = [parts.name.slice(0, at), parts.name.slice(at + 1)];
  // Otherwise the part after the colon is a checksum or a revision, which is dropped, or a size, which stays in the name.
  if (OFFERS.has(offer)) return { ...parts, name, offers: [...parts.offers, offer] };
  if (/^[0-9a-f]{40,}$/.test(offer)) return { ...parts, name };
  if (/^\d+$/.test(offer) || offer === '') return { ...parts, name: withoutRevision(parts.org ?? '', parts.name) };
  return { ...parts, name: `${name}-${offer}` };
}
