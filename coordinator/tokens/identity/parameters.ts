interface Parameters {
  /** billions, as decimal text; null if not stated */
  total: string | null;
  /** used for each token; null if not stated */
  active: string | null;
  /** the words that it was read from */
  evidence: string;
}

interface Said {
  /** the id or name in the source */
  name: string;
  huggingFaceId: string | null;
  description: string | null;
}

/**
 * How many parameters a model has, from its own names, else from a source's description. `8x7B` is not a total (experts share
 * layers) and `17B-128E` gives the active ones; what a name does not state stays null. Call it for open models only: figures
 * stated for closed ones are guesses.
 */
export function parametersIn({ name, huggingFaceId, description }: Said): Parameters | null {
  const named = fromName(huggingFaceId?.split('/').at(-1) ?? '') ?? fromName(name.split('/').at(-1) ?? '');
  const told = description === null ? null : fromText(description);
  if (named === null) return told;
  if (named.total !== null && named.active !== null) return named;
  // A name with only one size is completed by a description that agrees with it; otherwise the other size stays null.
  if (told && agrees(named.total, told.total) && agrees(named.active, told.active)) {
    const [total, active] = [named.total ?? told.total, named.active ?? told.active];
    if (total !== null && active !== null && Number(active) <= Number(total) && active !== total)
      return { total, active, evidence: `${named.evidence}; ${told.evidence}` };
  }
  return named;
}

/** Names round: gpt-oss-20b has 20.9 billion. */
const MOST_ROUNDING = 0.1;

const agrees = (a: string | null, b: string | null): boolean =>
  a === null || b === null || Math.abs(Number(a) - Number(b)) <= MOST_ROUNDING * Number(b);

const BOTH = /(?<![\d.a-z])(\d+(?:\.\d+)?)(b|t)-?a(\d+(?:\.\d+)?)b(?![a-z\d])/i;
const EXPERTS = /(?<![\d.a-z])(\d+(?:\.\d+)?)b-\d+e(?![a-z\d])/i;
const ACTIVE = /(?<![\da-z])a(\d+(?:\.\d+)?)b(?![a-z\d])/i;
const SIZE = /(?<![\d.a-z])(\d+(?:\.\d+)?)(b|t)(?![a-z\d])/i;
const MIXTURE = /\d+x\d+(?:\.\d+)?b/i;

function fromName(name: string): Parameters | null {
  const both = BOTH.exec(name);
  if (both) return { total: billions(both[1], both[2]), active: billions(both[3], 'b'), evidence: both[0] };
  const experts = EXPERTS.exec(name) ?? ACTIVE.exec(name);
  if (experts) return { total: null, active: billions(experts[1], 'b'), evidence: experts[0] };
  if (MIXTURE.test(name)) return null;
  const size = SIZE.exec(name);
  return size ? { total: billions(size[1], size[2]), active: null, evidence: size[0] } : null;
}

const NUMBER = String.raw`(\d+(?:\.\d+)?)[ -]?(B|T|billion|trillion)\b`;
const WORDS = String.raw`(?:[ -](?:parameters?|params))?`;
const texts = {
  active: [
    new RegExp(String.raw`${NUMBER}${WORDS}[ -](?:active|activated)`, 'i'),
    new RegExp(
      String.raw`(?:activating|activates|active|activated)(?: parameters?)?(?: of)?(?: only| about| approximately| roughly| just)? ${NUMBER}`,
      'i',
    ),
  ],
  total: [
    new RegExp(String.raw`${NUMBER}[ -]total`, 'i'),
    new RegExp(String.raw`${NUMBER}${WORDS} (?:in )?total`, 'i'),
    new RegExp(String.raw`(?:out of|total of|parameter count of) ${NUMBER}`, 'i'),
    new RegExp(String.raw`${NUMBER}[ -]parameters?(?! active)`, 'i'),
  ],
};

function fromText(text: string): Parameters | null {
  const [active, found] = [firstOf(texts.active, text), firstOf(texts.total, text)];
  if (!active && !found) return null;
  // `activates 22B parameters` names one size, not two.
  const total = active?.[1] === found?.[1] ? null : found;
  const evidence = [...new Set([total?.[0], active?.[0]])].filter((words) => words !== undefined).join('; ');
  return {
    total: total ? billions(total[1], total[2]) : null,
    active: active ? billions(active[1], active[2]) : null,
    evidence,
  };
}

const firstOf = (patterns: readonly RegExp[], text: string): RegExpExecArray | null =>
  patterns.reduce<RegExpExecArray | null>((found, pattern) => found ?? pattern.exec(text), null);

/** A trillion is a thousand billions. */
function billions(number: string | undefined, unit: string | undefined): string | null {
  if (number === undefined) return null;
  if (!/^t/i.test(unit ?? '')) return number;
  const [whole = '0', decimals = ''] = number.split('.');
  return String(Number(`${whole}${decimals.padEnd(3, '0').slice(0, 3)}`));
}
