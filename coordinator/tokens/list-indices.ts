import type { TokenIndexSpecification } from '../contract/token-index.ts';
import type { HotIndices } from './hot-indices.ts';
import { indexDefinitions } from './indices/index-definitions.ts';

/** Every index that can be asked for, and the days that are over of which it has figures. */
export function listIndices({ values }: HotIndices, now: Date): { total: number; results: TokenIndexSpecification[] } {
  const today = now.toISOString().slice(0, 10);
  const results = indexDefinitions.map(({ token, version, name, unit, definition }) => {
    const days = [...(values.get(`${token} ${version}`)?.keys() ?? [])].filter((day) => day < today);
    return {
      token,
      index_version: version,
      index_name: name,
      unit,
      definition,
      first_day: days[0] ?? null,
      last_day: days.at(-1) ?? null,
    };
  });
  return { total: results.length, results };
}
