/**
 * The pieces as the body of an answer, the first one already produced, so that its failure surfaces before the head is sent.
 * Each further piece is produced once the previous one has been sent. Cancelling the stream closes the source, even if nothing
 * was read: a generator wrapped around a started one would not, since `return` runs no `finally` in one that has not started.
 */
export async function begun(pieces: AsyncGenerator<Uint8Array, void>): Promise<ReadableStream<Uint8Array>> {
  let first: IteratorResult<Uint8Array, void> | null = await pieces.next();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const piece = first ?? (await pieces.next());
        first = null;
        if (piece.done === true) controller.close();
        else controller.enqueue(piece.value);
      },
      cancel: async () => void (await pieces.return()),
    },
    { highWaterMark: 0 },
  );
}
