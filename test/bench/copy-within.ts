import type { Sql } from '../../coordinator/platform/db/client.ts';

/** The text of the `copy` that a connection was given last, while `work` goes on. */
export async function* withStatements<T>(
  sql: Sql,
  work: AsyncIterable<T>,
): AsyncGenerator<{ done: T; statement: string }> {
  let statement = '';
  sql.options.debug = (_connection, text) => {
    if (/^\s*copy \(/.test(text)) statement = text;
  };
  try {
    for await (const done of work) yield { done, statement };
  } finally {
    sql.options.debug = false;
  }
}

/** Milliseconds of the same statement with nothing leaving the server. */
export async function copyWithin(sql: Sql, statement: string): Promise<number> {
  const startedAt = performance.now();
  await sql.unsafe(statement.replace(/to stdout with (?=\(format csv, header\)$)/, "to '/dev/null' with "));
  return performance.now() - startedAt;
}
