/** A name without the suffixes that a host has added, and the offers that these stand for. */
interface HostedName {
  name: string;
  offers: string[];
}

const QUANTISED = /-(fp8|fp16|bf16|fp4|nvfp4|mxfp4|int8|int4|awq|gptq)$/;

/**
 * How the weights are quantised is up to the host and does not change the model; faster, cheaper and regional variants that a
 * host sells in addition to its usual one are separate offers.
 */
export function withoutHosting(name: string, seller: string | null): HostedName {
  const offers: string[] = [];
  let rest = name.replace(/-maas$/, '');
  for (const [pattern, offer] of ofSeller[seller ?? ''] ?? []) {
    if (!pattern.test(rest)) continue;
    rest = rest.replace(pattern, '');
    if (offer !== null) offers.push(offer);
  }
  return { name: rest.replace(QUANTISED, ''), offers };
}

type Suffixes = readonly (readonly [suffix: RegExp, offer: string | null])[];

/** Only for hosts that use the word as a suffix: `-turbo` is part of GPT-3.5 Turbo's name, `-fast` of Grok 4 Fast's. */
const ofSeller: Readonly<Record<string, Suffixes>> = {
  // Turbo is what Together usually sells, quantised; Lite is cheaper, -tput slower.
  together: [
    [/-free$/, 'free'],
    [/(?<=instruct)-turbo(-2)?$/, null],
    [/-lite$/, 'lite'],
    [/-tput$/, 'throughput'],
  ],
  // DeepInfra sells Turbo in addition to its usual offer.
  deepinfra: [[/-turbo$/, 'turbo']],
  nebius: [[/-fast$/, 'fast']],
  // Chutes sells most models in confidential machines.
  chutes: [[/-tee$/, null]],
  // The day on which it began to sell a model of others; its own have one as their version.
  volcengine: [[/(?<=^(deepseek|glm|kimi).*)-2\d{5}$/, null]],
  novita: [[/(?<=^deepseek-(r1|v3))-turbo$/, 'turbo']],
  vercel: [[/-free$/, 'free']],
  fireworks: [
    [/-fast$/, 'fast'],
    [/(?<=^kimi-k2p\d)-turbo$/, 'turbo'],
    [/-us$/, 'regional'],
    [/^qwen-(?=qwq)/, null],
  ],
  // These put the developer before the name.
  databricks: [[/^databricks-(?=.)/, null]],
  'gradient-ai': [[/^(alibaba|anthropic|arcee|openai)-(?=.)/, null]],
  groq: [[/^(qwen|moonshotai)-(?=qwq|kimi)/, null]],
  snowflake: [[/^openai-(?=.)/, null]],
  aws: [[/^meta-textgeneration-/, null]],
};
