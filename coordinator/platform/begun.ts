/** The same pieces, with the first one already produced, so that its failure surfaces before the response head is sent. */
export async function begun<Piece>(pieces: AsyncGenerator<Piece, void>): Promise<AsyncGenerator<Piece, void>> {
  return resumed(await pieces.next(), pieces);
}

/** At module level because V8 creates a hidden class per call, in its old generation, for a generator nested in a function. */
async function* resumed<Piece>(
  first: IteratorResult<Piece, void>,
  rest: AsyncGenerator<Piece, void>,
): AsyncGenerator<Piece, void> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}
