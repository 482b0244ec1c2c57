/** The same pieces, the first already produced: if it fails, it fails before the head of an answer is sent. */
export async function begun<Piece>(pieces: AsyncGenerator<Piece, void>): Promise<AsyncGenerator<Piece, void>> {
  return resumed(await pieces.next(), pieces);
}

/** At module level: a generator nested in another function gets a hidden class per call, in V8's old generation. */
async function* resumed<Piece>(
  first: IteratorResult<Piece, void>,
  rest: AsyncGenerator<Piece, void>,
): AsyncGenerator<Piece, void> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}
