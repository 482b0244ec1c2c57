/** The member below `path` of a parsed document; undefined if any step is missing. */
export function member(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner !== null && typeof inner === 'object' ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  );
}

/**
 * What nvidia-smi (the texts of nvmlErrorString, in brackets in its tables) and amd-smi print instead of a value. The
 * first kind is a fact that the card does not have, the second a failure to read one.
 */
const ABSENT = /^\[?(n\/a|none|not supported|not available|requested functionality has been deprecated|unknown)\]?$/i;
const FAILED =
  /^\[?(insufficient permissions|no permission|gpu requires reset.*|gpu is lost.*|unknown error|err!|(function )?not found|driver not loaded|driver\/library version mismatch|gpu access blocked by the operating system|timeout|uninitialized)[.!]?\]?$/i;

/** The text if it says that reading a value failed; null for values and for facts that the card does not have. */
export function failureWord(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  return FAILED.test(text) ? text.replaceAll(/[[\]]/g, '').slice(0, 80) : null;
}

export function word(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || ABSENT.test(text) || FAILED.test(text) ? null : text.slice(0, 400);
}

/** The number at the beginning of `16x`, `700.00 W`, 700, or the `value` of {value, unit}. */
export function leadingNumber(value: unknown): number | null {
  const inner = member(value, 'value') ?? value;
  if (typeof inner === 'number') return Number.isFinite(inner) && inner >= 0 ? inner : null;
  const digits = /^\d+(\.\d+)?/.exec(word(inner) ?? '');
  return digits === null ? null : Number(digits[0]);
}

export function leadingInteger(value: unknown): number | null {
  const number = leadingNumber(value);
  return number === null ? null : Math.trunc(number);
}

/** `number x unit`, such as MiB to bytes. */
export function scaled(value: unknown, unit: number): number | null {
  const amount = leadingNumber(value);
  return amount === null ? null : amount * unit;
}

/** `Enabled`, `ENABLED`, `Disabled`. */
export function enabledWord(value: unknown): 'enabled' | 'disabled' | null {
  const text = word(value)?.toLowerCase();
  return text === 'enabled' || text === 'disabled' ? text : null;
}
