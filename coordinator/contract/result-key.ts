import { createHash } from 'node:crypto';

interface KeyedResult {
  machine_uuid: string;
  benchmark_id: string;
  item?: number | undefined;
  attempt: number;
}

/**
 * Content key of one result: 64 hex digits, the same for the same content in any order of its JSON keys.
 * Both ends compute it, so a damaged body is refused and a repeated one is recognised.
 */
export const resultKey = (jobId: string, result: KeyedResult & { payload: unknown }): string =>
  resultKeyOf(jobId, result, contentHash(result.payload));

/** The same key from a content hash that was computed earlier: for large bodies, by the thread that parsed them. */
export function resultKeyOf(jobId: string, result: KeyedResult, content: string): string {
  const item = result.item === undefined ? [] : [String(result.item)];
  return sha256([jobId, result.machine_uuid, result.benchmark_id, String(result.attempt), content, ...item].join('\n'));
}

export const contentHash = (payload: unknown): string => sha256(canonicalJson(payload));

/** JSON with object keys in code-unit order and no white space; `undefined` members are left out as in JSON. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');
