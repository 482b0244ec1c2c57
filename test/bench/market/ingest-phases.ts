import type { Sql } from '../../../coordinator/platform/db/client.ts';

/**
 * The statement that starts each phase of an ingestion, in order; the index over time is updated during the last one.
 */
const beginnings: readonly [phase: string, statement: RegExp][] = [
  ['reading and copying', /\bcopy observation \(/],
  ['replacing', /\bselect id from ingest_run where source\b/],
  ['prices', /\binsert into ingest_run\b/],
  ['', /^commit/],
];

/**
 * Milliseconds of each phase of what is ingested through this pool from now on, recognised by the statements it sends.
 */
export function watchPhases(sql: Sql): () => Map<string, number> {
  const phases = new Map<string, number>();
  let [now, since, long]: [string, number, unknown] = ['', 0, null];
  sql.options.debug = (connection, statement) => {
    const found = beginnings.find(([, pattern]) => pattern.test(statement));
    if (!found) return;
    const [phase] = found;
    const at = performance.now();
    // Short transactions that run during the long one commit before it.
    if (phase === now || (phase === '' && (now !== 'prices' || connection !== long))) return;
    if (now !== '') phases.set(now, (phases.get(now) ?? 0) + at - since);
    [now, since, long] = [phase, at, connection];
  };
  return () => {
    sql.options.debug = false;
    for (const [phase] of beginnings)
      if (phase !== '' && !phases.has(phase)) throw new Error(`no statement that begins ${phase} was sent`);
    return phases;
  };
}
