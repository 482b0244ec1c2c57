import type { Sql } from '../../coordinator/platform/db/client.ts';

/** Adds the text of every `copy` sent while `work` runs to `statements`. */
export async function* withStatements<T>(sql: Sql, work: AsyncIterable<T>, statements: string[]): AsyncGenerator<T> {
  sql.options.debug = (_connection, text) => {
    if (/^\s*copy \(/.test(text)) statements.push(text);
  };
  try {
    yield* work;
  } finally {
    sql.options.debug = false;
  }
}

/** Milliseconds of the same statement with its output discarded inside the server. */
export async function copyWithin(sql: Sql, statement: string): Promise<number> {
  const startedAt = performance.now();
  await sql.unsafe(statement.replace(/to stdout with (?=\(format csv, header\)$)/, "to '/dev/null' with "));
  return performance.now() - startedAt;
}
