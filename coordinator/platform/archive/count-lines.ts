import { Transform } from 'node:stream';

const NEWLINE = 0x0a;

/** Passes bytes on and counts the lines in them. Cells of an archive hold no line breaks. */
export function countLines(): { stream: Transform; count: () => number } {
  let lines = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
      done(null, chunk);
    },
  });
  return { stream, count: () => lines };
}
