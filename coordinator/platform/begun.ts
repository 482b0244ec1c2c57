/** The same pieces, the first of which is there already: what fails there fails before the head of an answer is out. */
export async function begun<Piece>(pieces: AsyncGenerator<Piece, void>): Promise<AsyncGenerator<Piece, void>> {
  return resumed(await pieces.next(), pieces);
}

/** A function of its own: a generator written within another has a hidden class for each call, among V8's old objects. */
async function* resumed<Piece>(
  first: IteratorResult<Piece, void>,
  rest: AsyncGenerator<Piece, void>,
): AsyncGenerator<Piece, void> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}
