/** One spelling for names written differently: `3-5`, `3.5`, `v3p5` and `35` are one version where a developer's rules say so. */
export function spelled(developer: string, name: string): string {
  const plain = name
    .replaceAll(/[_ ]+/g, '-')
    .replace(/-+$/, '')
    // Fireworks writes a decimal point as p.
    .replaceAll(/(\d)p(\d)/g, '$1.$2');
  const own = spellings[developer] ?? ((text: string) => text);
  // Models of other developers that are made from Llama or Qwen keep those names, so both rules apply to all.
  return own(qwen(llama(plain)));
}

const llama = (name: string): string =>
  name
    .replace(/^meta-(?=llama|codellama)/, '')
    .replace(
      /^llama-?v?(\d)(?:[.-](\d)(?![\db.])|(\d)(?![\db]))?-?(?=[a-z\d]|$)/,
      (_, major: string, point?: string, bare?: string) => `llama-${major}${dot(point ?? bare)}-`,
    )
    .replace(/-$/, '')
    .replace(/^llama-4-(maverick|scout)(-17b)?(-(16|128)e)?-instruct$/, 'llama-4-$1')
    .replace(/^(llama-2-\d+b-chat|codellama-\d+b-instruct)-hf$/, '$1');

const qwen = (name: string): string =>
  name
    .replace(
      /^qwen-?v?(\d)(?:[.-](\d)(?![\db.])|(5)(?!\d))?-/,
      (_, major: string, point?: string, bare?: string) => `qwen${major}${dot(point ?? bare)}-`,
    )
    .replace(/^(qwen3-.*)-04-28$/, '$1');

const dot = (minor: string | undefined): string => (minor === undefined ? '' : `.${minor}`);

const FAMILY = 'opus|sonnet|haiku|fable|mythos';
const versionFirst = new RegExp(`^claude-(\\d)(?:[.-](\\d)(?!\\d))?-(${FAMILY})(?![a-z])(.*)$`);
const familyFirst = new RegExp(`^claude-(${FAMILY})-(\\d)(?:[.-](\\d)(?!\\d))?(?!\\d)(.*)$`);

/** Up to 3.7 the version comes before the family, from 4 on after it. */
function claude(name: string): string {
  const early = versionFirst.exec(name);
  const late = familyFirst.exec(name);
  const [, major = '', minor, family = '', rest = ''] = early ?? [
    late?.[0],
    late?.[2],
    late?.[3],
    late?.[1],
    late?.[4],
  ];
  if (!early && !late) return name;
  const version = `${major}${minor === undefined || minor === '0' ? '' : `.${minor}`}`;
  return Number(major) >= 4 ? `claude-${family}-${version}${rest}` : `claude-${version}-${family}${rest}`;
}

const spellings: Readonly<Record<string, (name: string) => string>> = {
  anthropic: claude,
  openai: (name) =>
    name
      .replace(/^gpt-?35/, 'gpt-3.5')
      .replace(/^gpt4/, 'gpt-4')
      .replace(/^gpt-(\d)-(\d)(?=-|$)/, 'gpt-$1.$2'),
  google: (name) =>
    name
      .replace(/^gemini-(flash|pro)-(\d\.\d)/, 'gemini-$2-$1')
      .replace(/^gemini-(\d)-(\d)-(?=pro|flash)/, 'gemini-$1.$2-')
      .replace(/^gemini-gemma-/, 'gemma-')
      .replace(/^gemma(\d)-/, 'gemma-$1-'),
  // `grok-4-0709` is a month and a day.
  'x-ai': (name) => name.replace(/^grok-(\d)-(\d\d?)(?=-|$)/, 'grok-$1.$2'),
  'z-ai': (name) => name.replace(/^zai-(?=glm)/, '').replace(/^glm-(\d)-(\d)(?=v?(-|$))/, 'glm-$1.$2'),
  moonshotai: (name) => name.replace(/^kimi-k(\d)-(\d)(?=-|$)/, 'kimi-k$1.$2'),
  deepcogito: (name) => name.replace(/^cogito-v(\d)-(\d)-/, 'cogito-v$1.$2-'),
  upstage: (name) => name.replace(/^solar-pro(\d)$/, 'solar-pro-$1').replace(/^solar-10-7b/, 'solar-10.7b'),
  liquid: (name) => name.replace(/^lfm(?=\d)/, 'lfm-'),
  'ibm-granite': (name) =>
    name
      .replace(
        /^granite-((?:guardian|vision)-)?(\d)-(\d)-(?=\d)/,
        (_, kind: string | undefined, major: string, minor: string) => `granite-${kind ?? ''}${major}.${minor}-`,
      )
      .replace(/^granite-4-(?=h-)/, 'granite-4.0-'),
  cohere: (name) => name.replace(/^cohere-(?=command|embed)/, ''),
  deepseek: (name) =>
    name
      .replace(/^(?=r1|v\d)/, 'deepseek-')
      .replace(/^deepseek-(\d)(?=[.-]|$)/, 'deepseek-v$1')
      .replace(/^deepseek-chat-(?=v\d)/, 'deepseek-')
      .replace(/-1-5b$/, '-1.5b')
      .replace(/^deepseek-v(\d)-(\d)(?=-|$)/, 'deepseek-v$1.$2'),
  amazon: (name) => name.replace(/^amazon-/, '').replace(/^(nova-.*)-v1$/, '$1'),
  nvidia: (name) => name.replace(/^nvidia-/, ''),
  ai21: (name) =>
    name
      .replace(/^ai21-(?=jamba)/, '')
      .replace(/^jamba-(\d)-(\d)/, 'jamba-$1.$2')
      .replace(/^jamba-(\d\.\d)-(large|mini)/, 'jamba-$2-$1'),
  // Mixtral has had one release, so its `-v0.1` is dropped; Mistral 7B has had three.
  mistralai: (name) =>
    name
      .replace(/^labs-/, '')
      .replace(/^(mistral-7b-.*-v0)(\d)$/, '$1.$2')
      .replace(/^(mixtral-.*-instruct)(-v0\.1)?(-hf)?$/, '$1')
      .replace(/^open-(mixtral-.*b)$/, '$1-instruct'),
};

const OFFER = /\s*\((free|batch|thinking|extended|beta|nitro|fast)\)\s*$/i;

/** A model's name as people write it, without the developer before it and the offer behind it: `Claude Haiku 4.5`. */
export function modelName(said: string): string | null {
  const name = said
    .replace(OFFER, '')
    .replace(/^[^:]{1,40}: (?=\S)/, '')
    .trim();
  return name === '' ? null : name;
}
