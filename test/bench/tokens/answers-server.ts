import { createApp } from '../../../coordinator/app.ts';
import { serveBoth } from '../coordinator/server-process.ts';

/** Path prefix under which the floor serialises the JSON of the answer each time. */
const ANEW = '/anew';

/**
 * The floor returns the app's first answer to the same request: it reads the body and looks the answer up, without
 * authentication, validation and response envelope; it sends the stored bytes or, under `/anew`, serialises the object.
 */
await serveBoth((platform) => {
  const app = createApp(platform, { processMetrics: false, isDraining: () => false });
  const kept = new Map<string, Promise<{ bytes: Buffer; object: unknown }>>();
  const first = async (path: string, body: Buffer, authorization: string) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await app.request(path, { method: 'POST', headers, body: new Uint8Array(body) });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${text}`);
    const object: unknown = JSON.parse(text);
    return { bytes: Buffer.from(text), object };
  };
  return (request, response) => {
    const answer = async (body: Buffer): Promise<void> => {
      const url = request.url ?? '';
      const path = url.startsWith(ANEW) ? url.slice(ANEW.length) : url;
      const key = `${path} ${body.toString('latin1')}`;
      const known = kept.get(key) ?? first(path, body, request.headers.authorization ?? '');
      kept.set(key, known);
      const { bytes, object } = await known;
      const content = path === url ? bytes : Buffer.from(JSON.stringify(object));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': content.length });
      response.end(content);
    };
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => void answer(Buffer.concat(pieces)));
  };
});
