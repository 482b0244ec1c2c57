import { createApp } from '../../../coordinator/app.ts';
import { serveBoth } from '../coordinator/server-process.ts';

/**
 * The floor answers with the bytes that the app gave the first time the same was asked: it reads the body and looks it up,
 * without credential, checks and envelope of its own.
 */
await serveBoth((platform) => {
  const app = createApp(platform, { processMetrics: false, isDraining: () => false });
  const kept = new Map<string, Promise<Buffer>>();
  const first = async (path: string, body: Buffer, authorization: string): Promise<Buffer> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await app.request(path, { method: 'POST', headers, body: new Uint8Array(body) });
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  return (request, response) => {
    const answer = async (body: Buffer): Promise<void> => {
      const path = request.url ?? '';
      const key = `${path} ${body.toString('latin1')}`;
      const known = kept.get(key) ?? first(path, body, request.headers.authorization ?? '');
      kept.set(key, known);
      const content = await known;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': content.length });
      response.end(content);
    };
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => void answer(Buffer.concat(pieces)));
  };
});
