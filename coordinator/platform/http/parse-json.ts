import { malformed } from './validation-error.ts';

/** Deeper nesting would overflow the stack of whatever serialises the value later. */
const MAX_DEPTH = 64;

/** Only texts holding one of these need the slow, exact parse: long digits that do not begin a string, escapes that may hide NUL or half a pair, __proto__. */
const needsCare = /(?<!["\d])\d{16}|\\u0000|\\u[dD][89a-fA-F]|__proto__|\\u005[fF]/;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * JSON bytes -> value, losing nothing: integers beyond 2^53 become decimal strings (ids have 19 digits). Throws a
 * validation error for bytes that are not UTF-8, text that is not JSON, NUL, lone surrogates and nesting over 64.
 */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed('body', null, 'must be UTF-8', 'json_invalid');
  }
  const value = parse(text);
  if (!isShallow(value, MAX_DEPTH))
    throw malformed('body', null, `must not nest deeper than ${MAX_DEPTH} levels`, 'json_invalid');
  return value;
}

function parse(text: string): unknown {
  try {
    return needsCare.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw tooDeepOr(error);
    // The parser's own message quotes the body, which may hold a password
    const position = /position (\d+)/.exec(error.message)?.[1];
    throw malformed(
      'body',
      null,
      position ? `is not valid JSON at character ${position}` : 'is not valid JSON',
      'json_invalid',
    );
  }
}

/** A reviver recurses; a hostile body overflows it. */
const tooDeepOr = (error: unknown): unknown =>
  error instanceof RangeError
    ? malformed('body', null, `must not nest deeper than ${MAX_DEPTH} levels`, 'json_invalid')
    : error;

function exact(key: string, value: unknown, context: { source?: string } = {}): unknown {
  if (key === '__proto__') return undefined;
  if (!isText(key))
    throw malformed('body', null, 'must have valid text without NUL characters as field names', 'value_error');
  if (typeof value === 'string' && !isText(value)) {
    throw malformed('body', key === '' ? null : key, 'must be valid text without NUL characters', 'value_error');
  }
  const source = context.source;
  if (typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source))
    return source;
  return value;
}

const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    if (!isShallow(inner, levels - 1)) return false;
  return true;
}
