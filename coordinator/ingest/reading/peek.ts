/** The first `count` bytes of a content (fewer where it ends before), and the whole content again, those bytes included. */
export async function peek(
  content: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{ head: Uint8Array; content: AsyncIterable<Uint8Array> }> {
  const iterator = content[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let size = 0;
  while (size < count) {
    const next = await iterator.next();
    if (next.done === true) break;
    held.push(next.value);
    size += next.value.length;
  }
  return { head: Buffer.concat(held).subarray(0, count), content: continued(held, iterator) };
}

async function* continued(
  held: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* held;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
