/** A name without what a host has put behind it, and the offer that this stands for. */
interface HostedName {
  name: string;
  offers: string[];
}

const QUANTISED = /-(fp8|fp16|bf16|fp4|nvfp4|mxfp4|int8|int4|awq|gptq)$/;

/**
 * How the weights are packed is the host's business and the model is the same; faster, cheaper and regional offers that a host
 * sells beside its usual one are offers of their own.
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

/** Only if the host uses the word so: `-turbo` belongs to the name of GPT-3.5 Turbo, `-fast` to that of Grok 4 Fast. */
const ofSeller: Readonly<Record<string, Suffixes>> = {
  // Turbo is what Together usually sells, quantised; Lite is cheaper and -tput slower.
  together: [
    [/-free$/, 'free'],
    [/(?<=instruct)-turbo(-2)?$/, null],
    [/-lite$/, 'lite'],
    [/-tput$/, 'throughput'],
  ],
  // DeepInfra sells the turbo beside the usual one.
  deepinfra: [[/-turbo$/, 'turbo']],
  fireworks: [
    [/-fast$/, 'fast'],
    [/-us$/, 'regional'],
  ],
  // Whose model it is stands before its name.
  databricks: [[/^databricks-(?=.)/, null]],
  'gradient-ai': [[/^(alibaba|anthropic|openai)-/, null]],
  groq: [[/^(qwen|moonshotai)-(?=qwq|kimi)/, null]],
  aws: [[/^meta-textgeneration-/, null]],
};
