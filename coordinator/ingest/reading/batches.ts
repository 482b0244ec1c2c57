/** Waiting for each of many rows costs as much as reading it; those of a batch need no waiting. */

export async function* oneByOne<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T, void> {
  for await (const batch of batches) yield* batch;
}

export async function* batchesOfOne<T>(rows: AsyncIterable<T>): AsyncGenerator<readonly T[], void> {
  for await (const row of rows) yield [row];
}
