import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../../../coordinator/platform/errors.ts';
import { parseJson } from '../../../../coordinator/platform/http/parse-json.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const refused = Symbol('refused');

/** Whether parseJson makes of the bytes what a slow parse with a reviver makes of them: the same value, or a refusal. */
export const agrees = (bytes: Uint8Array): boolean => isDeepStrictEqual(ours(bytes), reference(bytes));

function ours(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'validation') return refused;
    throw error;
  }
}

function reference(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    const value: unknown = JSON.parse(text, exact);
    // It is JSON, so that this finds the strings of it, also those that a second field of the same name hides.
    const strings = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    return strings.every((written) => isText(String(JSON.parse(written)))) ? value : refused;
  } catch {
    return refused;
  }
}

function exact(key: string, value: unknown, context: { source?: string } = {}): unknown {
  if (key === '__proto__') return undefined;
  const { source } = context;
  const long = typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined;
  return long && /^-?\d+$/.test(source) ? source : value;
}

const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
