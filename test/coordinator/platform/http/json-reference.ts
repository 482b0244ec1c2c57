import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../../../coordinator/platform/errors.ts';
import { parseJson } from '../../../../coordinator/platform/http/check-body.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const refused = Symbol('refused');

/**
 * Whether parseJson makes of the bytes what a slow parse makes of them, token by token: the same value, or a refusal. Where a
 * name is written with an escape only refusals are compared: JSON.parse of node 26.10 now and then takes such a name for
 * another one that it has met before, and may do so in one of two calls.
 */
export function agrees(bytes: Uint8Array): boolean {
  const [mine, theirs] = [ours(bytes), reference(bytes)];
  const strings = Buffer.from(bytes)
    .toString('utf8')
    .matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g);
  const escapedName = strings.some(([token, colon]) => colon !== undefined && token.includes('\\'));
  return escapedName ? (mine === refused) === (theirs === refused) : isDeepStrictEqual(mine, theirs);
}

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
    JSON.parse(text);
    // It is JSON, so that this finds its strings, also those that a second field of the same name hides, and its numbers.
    const strings: string[] = [];
    const exact = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
      if (token.startsWith('"')) strings.push(token);
      return /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
    });
    if (!strings.every((written) => isText(String(JSON.parse(written))))) return refused;
    return withoutPrototypes(JSON.parse(exact));
  } catch {
    return refused;
  }
}

function withoutPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
  for (const inner of Object.values(value)) withoutPrototypes(inner);
  return value;
}

const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
