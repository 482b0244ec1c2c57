import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { identifyModel } from '../../../../coordinator/tokens/identity/identify-model.ts';

type Said = readonly [source: string, provider: string | null, label: string];

const or = (label: string): Said => ['openrouter-models', 'openrouter', label];
const ll = (provider: string | null, label: string): Said => ['litellm', provider, label];
const gp = (provider: string, label: string): Said => ['genai-prices', provider, label];
const lp = (vendor: string, label: string): Said => ['llm-prices', vendor, label];

function meaning([source, provider, label]: Said): string {
  const found = identifyModel({ source, provider, label });
  assert.ok(found, `${source} ${provider} ${label} means a model`);
  return `${found.model}|${found.variant}`;
}
const model = (said: Said): string => meaning(said).replace(/\|.*/, '');

/** Of different weights, or sold as different models. */
const apart: readonly (readonly [Said, Said])[] = [
  [or('openai/o1-2024-12-17'), ll('openai', 'o1-mini')],
  [or('openai/o1-2024-12-17'), or('openai/o1-pro')],
  [ll('openai', 'o1'), ll('openai', 'o1-preview')],
  [ll('openai', 'o1-mini'), ll('openai', 'o1-preview-2024-09-12')],
  [or('openai/o3-2025-04-16'), or('openai/o3-mini-2025-01-31')],
  [or('openai/o3-2025-04-16'), or('openai/o3-pro-2025-06-10')],
  [ll('openai', 'o4-mini'), ll('openai', 'o4-mini-deep-research')],
  [ll('openai', 'gpt-3.5-turbo'), ll('openai', 'gpt-3.5-turbo-16k')],
  [ll('openai', 'gpt-3.5-turbo'), ll('openai', 'gpt-3.5-turbo-instruct')],
  [ll('openai', 'gpt-3.5-turbo-0125'), ll('openai', 'gpt-3.5-turbo-1106')],
  [ll('openai', 'gpt-4'), ll('openai', 'gpt-4-32k')],
  [ll('openai', 'gpt-4-0314'), ll('openai', 'gpt-4-turbo')],
  [ll('openai', 'gpt-4-1106-preview'), ll('openai', 'gpt-4-0125-preview')],
  [ll('openai', 'gpt-4-1106-preview'), ll('openai', 'gpt-4-1106-vision-preview')],
  [ll('openai', 'gpt-4-turbo'), ll('openai', 'gpt-4-turbo-preview')],
  [ll('openai', 'gpt-4o'), ll('openai', 'gpt-4o-2024-05-13')],
  [ll('openai', 'gpt-4o'), ll('openai', 'chatgpt-4o-latest')],
  [ll('openai', 'gpt-4o'), ll('openai', 'gpt-4o-mini')],
  [ll('openai', 'gpt-4o'), ll('openai', 'gpt-4o-audio-preview')],
  [or('openai/gpt-5-2025-08-07'), ll('openai', 'gpt-5-chat')],
  [or('openai/gpt-5.6-luna-20260709'), or('openai/gpt-5.6-luna-pro-20260709')],
  [or('openai/gpt-oss-120b'), or('openai/gpt-oss-20b')],
  [or('openai/gpt-oss-20b'), or('openai/gpt-oss-safeguard-20b')],
  [ll('anthropic', 'claude-3-5-sonnet-20240620'), ll('anthropic', 'claude-3-5-sonnet-20241022')],
  [ll('anthropic', 'claude-3-opus-20240229'), ll('anthropic', 'claude-4-opus-20250514')],
  [or('anthropic/claude-4-opus-20250522'), or('anthropic/claude-4.1-opus-20250805')],
  [ll('anthropic', 'claude-2'), ll('anthropic', 'claude-2.1')],
  [ll('bedrock', 'anthropic.claude-v2'), ll('bedrock', 'anthropic.claude-v2:1')],
  [ll(null, 'claude-instant-1'), ll(null, 'claude-instant-1.2')],
  [ll('gemini', 'gemini/gemini-1.5-flash'), ll('gemini', 'gemini/gemini-1.5-flash-8b')],
  [ll('gemini', 'gemini/gemini-1.5-flash-001'), ll('gemini', 'gemini/gemini-1.5-flash-002')],
  [or('google/gemini-3.5-flash-20260519'), or('google/gemini-3.5-flash-lite-20260721')],
  [or('google/gemini-2.5-flash'), gp('google', 'gemini-2.5-flash-image')],
  [or('google/gemini-3.1-flash-lite-20260507'), or('google/gemini-3.1-flash-lite-preview-20260303')],
  [gp('google', 'gemma-3-27b-it'), gp('google', 'gemma-2-27b-it')],
  [ll('gemini', 'gemini/gemma-3-27b-it'), or('google/gemma-3n-e4b-it')],
  [gp('together', 'google/gemma-7b'), gp('groq', 'gemma-7b-it')],
  [or('meta-llama/llama-3.1-8b-instruct'), or('meta-llama/llama-3.1-70b-instruct')],
  [or('meta-llama/llama-3.1-70b-instruct'), ll('snowflake', 'snowflake/llama3.1-405b')],
  [or('meta-llama/llama-3.1-70b-instruct'), or('meta-llama/llama-3.3-70b-instruct')],
  [gp('openrouter', 'meta-llama/llama-3.1-405b'), gp('openrouter', 'meta-llama/llama-3.1-405b-instruct')],
  [ll('replicate', 'replicate/meta/llama-3-70b'), ll('replicate', 'replicate/meta/llama-3-70b-instruct')],
  [ll('groq', 'groq/llama-3.2-11b-text-preview'), ll('groq', 'groq/llama-3.2-11b-vision-preview')],
  [or('meta-llama/llama-4-maverick-17b-128e-instruct'), or('meta-llama/llama-4-scout-17b-16e-instruct')],
  [or('meta-llama/llama-guard-4-12b'), gp('openrouter', 'meta-llama/llama-guard-3-8b')],
  [or('deepseek/deepseek-r1'), or('deepseek/deepseek-r1-distill-llama-70b')],
  [gp('deepseek', 'deepseek-r1-distill-qwen-32b'), or('deepseek/deepseek-r1-distill-llama-70b')],
  [or('meta-llama/llama-3.3-70b-instruct'), or('deepseek/deepseek-r1-distill-llama-70b')],
  [ll('lambda_ai', 'lambda_ai/llama3.3-70b-instruct-fp8'), ll('lambda_ai', 'lambda_ai/deepseek-llama3.3-70b')],
  [or('deepseek/deepseek-r1'), or('deepseek/deepseek-r1-0528')],
  [or('deepseek/deepseek-chat-v3'), or('deepseek/deepseek-chat-v3-0324')],
  [or('deepseek/deepseek-chat-v3-0324'), or('deepseek/deepseek-chat-v3.1')],
  [or('deepseek/deepseek-chat-v3.1'), or('deepseek/deepseek-v3.1-terminus')],
  [or('deepseek/deepseek-v3.2-20251201'), or('deepseek/deepseek-v3.2-exp')],
  [or('deepseek/deepseek-v4-flash-20260423'), or('deepseek/deepseek-v4-flash-20260731')],
  [ll('deepseek', 'deepseek/deepseek-chat'), ll('deepseek', 'deepseek/deepseek-v3')],
  [or('z-ai/glm-4.6'), or('z-ai/glm-4.6-20251208')],
  [or('z-ai/glm-4.5'), or('z-ai/glm-4.5v')],
  [or('z-ai/glm-4.5'), or('z-ai/glm-4.5-air')],
  [or('z-ai/glm-5-20260211'), or('z-ai/glm-5-turbo-20260315')],
  [or('qwen/qwen3-235b-a22b-04-28'), or('qwen/qwen3-235b-a22b-07-25')],
  [or('qwen/qwen3-235b-a22b-07-25'), or('qwen/qwen3-235b-a22b-thinking-2507')],
  [or('qwen/qwen3-30b-a3b-instruct-2507'), or('qwen/qwen3-coder-30b-a3b-instruct')],
  [or('qwen/qwen3-vl-30b-a3b-instruct'), or('qwen/qwen3-30b-a3b-instruct-2507')],
  [or('qwen/qwen-plus-2025-01-25'), or('qwen/qwen-plus-2025-07-28')],
  [or('qwen/qwen3.5-plus-20260216'), or('qwen/qwen3.5-plus-20260420')],
  [gp('huggingface_nebius', 'Qwen/Qwen2.5-Coder-7B'), gp('huggingface_nscale', 'Qwen/Qwen2.5-Coder-7B-Instruct')],
  [gp('openrouter', 'qwen/qwq-32b'), gp('openrouter', 'qwen/qwq-32b-preview')],
  [gp('openrouter', 'qwq-32b:free'), gp('openrouter', 'qwq-32b-arliai-rpr-v1:free')],
  [gp('moonshotai', 'kimi-k2-0711-preview'), gp('moonshotai', 'kimi-k2-0905-preview')],
  [gp('moonshotai', 'kimi-k2'), gp('moonshotai', 'kimi-k2-thinking')],
  [ll('mistral', 'mistral/mistral-large-2407'), ll('mistral', 'mistral/mistral-large-2411')],
  [gp('openrouter', 'mistralai/mistral-medium'), gp('openrouter', 'mistralai/mistral-medium-3')],
  [ll('mistral', 'mistral/open-mistral-7b'), ll('mistral', 'mistral/open-mixtral-8x7b')],
  [gp('together', 'mistralai/Mixtral-8x7B-v0.1'), gp('together', 'mistralai/Mixtral-8x7B-Instruct-v0.1')],
  [gp('together', 'mistralai/Mistral-7B-Instruct-v0.1'), gp('together', 'mistralai/Mistral-7B-Instruct-v0.2')],
  [gp('together', 'mistralai/Mistral-7B-v0.1'), gp('together', 'Open-Orca/Mistral-7B-OpenOrca')],
  [or('mistralai/ministral-8b'), or('mistralai/ministral-8b-2512')],
  [ll('xai', 'xai/grok-3'), ll('xai', 'xai/grok-3-mini')],
  [ll('xai', 'xai/grok-4'), lp('xai', 'grok-4-fast')],
  [ll('xai', 'xai/grok-2'), ll('xai', 'xai/grok-2-vision')],
  [or('x-ai/grok-4.20-20260309'), or('x-ai/grok-4.20-multi-agent-20260309')],
  [or('cohere/command-r-08-2024'), ll('cohere_chat', 'command-r')],
  [or('amazon/nova-lite-v1'), or('amazon/nova-2-lite-v1')],
  [ll('deepgram', 'deepgram/nova-2'), or('amazon/nova-2-lite-v1')],
  [or('nvidia/nemotron-nano-9b-v2'), or('nvidia/nemotron-nano-12b-v2-vl')],
  [or('minimax/minimax-m2'), or('minimax/minimax-m2-her-20260123')],
];

/** The same model at the same offer, however it is written. */
const alike: readonly (readonly [Said, Said])[] = [
  [or('anthropic/claude-4.5-haiku-20251001'), gp('anthropic', 'claude-haiku-4-5')],
  [or('anthropic/claude-4.1-opus-20250805'), ll('vertex_ai-anthropic_models', 'vertex_ai/claude-opus-4-1@20250805')],
  [or('anthropic/claude-4-sonnet-20250522'), ll('bedrock_converse', 'anthropic.claude-sonnet-4-20250514-v1:0')],
  [lp('anthropic', 'claude-3.7-sonnet'), ll('databricks', 'databricks/databricks-claude-3-7-sonnet')],
  [gp('aws', 'global.anthropic.claude-opus-4-8-v1:0'), lp('anthropic', 'claude-opus-4-8')],
  [ll('bedrock', 'anthropic.claude-v2:1'), ll('anthropic', 'claude-2.1')],
  [
    ll('vertex_ai-anthropic_models', 'vertex_ai/claude-3-5-sonnet'),
    ll('bedrock', 'anthropic.claude-3-5-sonnet-20240620-v1:0'),
  ],
  [
    ll('vertex_ai-anthropic_models', 'vertex_ai/claude-3-5-sonnet-v2@20241022'),
    gp('openrouter', 'anthropic/claude-3.5-sonnet'),
  ],
  [ll('azure', 'azure/gpt-35-turbo-16k-0613'), ll('openai', 'gpt-3.5-turbo-16k')],
  [ll('azure', 'azure/global/gpt-4o-2024-11-20'), gp('azure', 'gpt-4o-2024-1120')],
  [or('openai/gpt-5.4-20260305'), ll('openai', 'gpt-5.4-2026-03-05')],
  [or('openai/gpt-5.2-chat-20251211'), ll('openai', 'gpt-5.2-chat-latest')],
  [gp('aws', 'openai.gpt-oss-120b-1:0'), ll('together_ai', 'together_ai/openai/gpt-oss-120b')],
  [gp('openrouter', 'gemini-flash-1.5-8b'), ll('gemini', 'gemini/gemini-1.5-flash-8b')],
  [lp('google', 'gemini-3-1-pro-preview'), or('google/gemini-3.1-pro-preview-20260219')],
  [gp('groq', 'gemma2-9b-it'), gp('aws', 'google.gemma-2-9b-it')],
  [
    ll('fireworks_ai', 'fireworks_ai/accounts/fireworks/models/llama-v3p1-8b-instruct'),
    gp('aws', 'meta.llama3-1-8b-instruct-v1:0'),
  ],
  [
    ll('groq', 'groq/llama-3.3-70b-versatile'),
    ll('together_ai', 'together_ai/meta-llama/Llama-3.3-70B-Instruct-Turbo'),
  ],
  [
    ll('azure_ai', 'azure_ai/Meta-Llama-31-405B-Instruct'),
    ll('databricks', 'databricks/databricks-meta-llama-3-1-405b-instruct'),
  ],
  [gp('ovhcloud', 'Meta-Llama-3_3-70B-Instruct'), ll('cerebras', 'cerebras/llama3.3-70b')],
  [
    ll('lambda_ai', 'lambda_ai/llama-4-maverick-17b-128e-instruct-fp8'),
    or('meta-llama/llama-4-maverick-17b-128e-instruct'),
  ],
  [ll('bedrock', 'mistral.mistral-7b-instruct-v0:2'), gp('together', 'mistralai/Mistral-7B-Instruct-v0.2')],
  [ll('groq', 'groq/mixtral-8x7b-32768'), ll('anyscale', 'anyscale/mistralai/Mixtral-8x7B-Instruct-v0.1')],
  [gp('aws', 'mistral.mistral-large-3-675b-instruct'), or('mistralai/mistral-large-2512')],
  [or('qwen/qwen3-235b-a22b-07-25'), gp('huggingface_nebius', 'Qwen/Qwen3-235B-A22B-Instruct-2507')],
  [or('qwen/qwen3-coder-480b-a35b-07-25'), ll('together_ai', 'together_ai/Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8')],
  [gp('cerebras', 'qwen-3-32b'), or('qwen/qwen3-32b-04-28')],
  [ll('lambda_ai', 'lambda_ai/qwen25-coder-32b-instruct'), or('qwen/qwen-2.5-coder-32b-instruct')],
  [gp('fireworks', 'qwen3p7-plus'), or('qwen/qwen3.7-plus-20260602')],
  [or('deepseek/deepseek-chat-v3-0324'), gp('fireworks', 'deepseek-v3-0324')],
  [gp('aws', 'deepseek.r1-v1:0'), ll('lambda_ai', 'lambda_ai/deepseek-r1-671b')],
  [gp('fireworks', 'glm-4p7'), gp('huggingface_together', 'zai-org/GLM-4.7-FP8')],
  [gp('fireworks', 'kimi-k2p5'), or('moonshotai/kimi-k2.5-0127')],
  [gp('huggingface_novita', 'moonshotai/Kimi-K2-Instruct-0905'), gp('openrouter', 'moonshotai/kimi-k2-0905')],
  [ll('xai', 'xai/grok-4-0709'), ll('oci', 'oci/xai.grok-4')],
  [gp('aws', 'nvidia.nemotron-super-3-120b:0'), gp('doubleword', 'nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-NVFP4')],
  [or('amazon/nova-pro-v1'), lp('amazon', 'amazon-nova-pro')],
];

describe('models that look alike', () => {
  test('stay apart', (t) => {
    assert.ok(apart.length >= 40);
    t.diagnostic(`${apart.length} pairs`);
    for (const [one, other] of apart) assert.notEqual(model(one), model(other), `${one[2]} and ${other[2]}`);
  });

  test('are one if they are only written otherwise', (t) => {
    assert.ok(alike.length >= 25);
    t.diagnostic(`${alike.length} pairs`);
    for (const [one, other] of alike) assert.equal(meaning(one), meaning(other), `${one[2]} and ${other[2]}`);
  });
});

test('an offer is a variant, and only the usual one is standard', () => {
  const said: readonly (readonly [Said, string])[] = [
    [or('openai/gpt-oss-20b:free'), 'openai/gpt-oss-20b|free'],
    [or('anthropic/claude-4.6-opus-20260205:batch'), 'anthropic/claude-opus-4.6|batch'],
    [or('qwen/qwen-plus-2025-07-28:thinking'), 'qwen/qwen-plus-2025-07-28|thinking'],
    [or('anthropic/claude-4.7-opus-fast-20260512'), 'anthropic/claude-opus-4.7|fast'],
    [or('openai/o4-mini-high-2025-04-16:batch'), 'openai/o4-mini|batch+high'],
    [ll('anthropic', 'claude-opus-4-6-thinking'), 'anthropic/claude-opus-4.6|thinking'],
    [gp('openrouter', 'gpt-4o:extended'), 'openai/gpt-4o|extended'],
    [ll('openrouter', 'openrouter/microsoft/wizardlm-2-8x22b:nitro'), 'microsoft/wizardlm-2-8x22b|nitro'],
    [ll('bedrock', 'us.anthropic.claude-3-5-sonnet-20241022-v2:0'), 'anthropic/claude-3.5-sonnet|regional'],
    [gp('aws', 'regional.anthropic.claude-opus-5'), 'anthropic/claude-opus-5|regional'],
    [
      ll('bedrock', 'bedrock/us-east-1/1-month-commitment/anthropic.claude-v1'),
      'anthropic/claude-1|committed+regional',
    ],
    [ll('azure', 'azure/eu/gpt-4o-2024-08-06'), 'openai/gpt-4o|regional'],
    [ll('openai', 'ft:gpt-4o-mini-2024-07-18'), 'openai/gpt-4o-mini|fine-tuned'],
    [gp('fireworks', 'kimi-k2p6-fast'), 'moonshotai/kimi-k2.6|fast'],
    [gp('fireworks', 'kimi-k3-us'), 'moonshotai/kimi-k3|regional'],
    [gp('together', 'meta-llama/Meta-Llama-3-70B-Instruct-Lite'), 'meta/llama-3-70b-instruct|lite'],
    [gp('together', 'meta-llama/Meta-Llama-3-70B-Instruct-Turbo'), 'meta/llama-3-70b-instruct|standard'],
    [ll('deepinfra', 'deepinfra/deepseek-ai/DeepSeek-R1-Turbo'), 'deepseek/deepseek-r1|turbo'],
    [ll('xai', 'xai/grok-3-fast-latest'), 'x-ai/grok-3|fast'],
    [ll('groq', 'groq/llama-3.3-70b-specdec'), 'meta/llama-3.3-70b-instruct|fast'],
  ];
  for (const [label, expected] of said) assert.equal(meaning(label), expected, label[2]);
});

test('what no rule knows is not a model: routers, sizes, unknown makers, names without a size', () => {
  const nothing: readonly Said[] = [
    or('openrouter/auto'),
    or('~anthropic/claude-opus-latest'),
    ll('together_ai', 'together_ai/somebody/new-model-70b'),
    ll('together_ai', 'together-ai-7.1b-20b'),
    ll('nlp_cloud', 'dolphin'),
    ll('ollama', 'ollama/llama3'),
    gp('azure', 'gpt-45-turbo'),
    gp('google', 'gemma-3'),
    gp('novita', 'unknown-maker/llama-3.1-70b-instruct'),
    ['token-prices', null, ''],
    ['token-prices', null, '/'],
  ];
  for (const [source, provider, label] of nothing)
    assert.equal(identifyModel({ source, provider, label })?.model, undefined, label);
});

test('a lab that the table does not have is what OpenRouter calls it; nobody else is believed', () => {
  const label = 'somebody/new-model-70b';
  const models = ['openrouter-models', 'openrouter-rankings', 'genai-prices'].map(
    (source) => identifyModel({ source, provider: 'openrouter', label })?.model,
  );
  assert.deepEqual(models, ['somebody/new-model-70b', 'somebody/new-model-70b', undefined]);
});

test('a label means the same in whatever order labels come', () => {
  const all = [...apart, ...alike].flat();
  const forward = all.map(meaning);
  const backward = all.toReversed().map(meaning).toReversed();
  assert.deepEqual(forward, backward);
});
