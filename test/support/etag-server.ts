import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A publisher that answers 304 to a reader that has the newest; `asked` are the ETags that came. */
export async function etagServer(
  t: TestContext,
  content: () => { etag: string; body: string | Buffer },
): Promise<{ url: string; asked: (string | undefined)[] }> {
  const asked: (string | undefined)[] = [];
  const answers = createServer((request: IncomingMessage, response) => {
    asked.push(request.headers['if-none-match']);
    const { etag, body } = content();
    const isKnown = request.headers['if-none-match'] === etag;
    response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? undefined : body);
  }).listen(0, '127.0.0.1');
  await once(answers, 'listening');
  t.after(() => {
    answers.closeAllConnections();
    answers.close();
  });
  return { url: `http://127.0.0.1:${(answers.address() as AddressInfo).port}`, asked };
}
