import { serveBoth } from '../coordinator/server-process.ts';

/** The floor: a bare node:http handler that reads the same body and answers with as many bytes; no database, no checks. */
await serveBoth(() => (request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => void pieces.push(piece));
  request.on('end', () => {
    JSON.parse(Buffer.concat(pieces).toString() || '{}');
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  });
});

/** A page of 50 price records has about 20 kB. */
const answer = Buffer.alloc(20_000, ' ');
