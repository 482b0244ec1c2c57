import assert from 'node:assert/strict';
import type { TestApp } from '../../support/app.ts';
import { makeUser } from '../../support/client.ts';

export interface Browser {
  get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** Posts a form as one of our pages would: with the session's token and the browser's Sec-Fetch-Site. */
  post: (path: string, fields?: Record<string, string>, headers?: Record<string, string>) => Promise<Response>;
  signIn: (email: string, password: string) => Promise<Response>;
  cookies: Map<string, string>;
  /** takes the cookies of an answer */
  keep: (answer: Response) => Response;
}

/** Cookies and forms on top of the app, without a browser; does not follow redirects. */
export function browser({ app }: Pick<TestApp, 'app'>): Browser {
  const cookies = new Map<string, string>();
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const keep = (answer: Response): Response => {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const get: Browser['get'] = async (path, headers = {}) =>
    keep(await app.request(path, { headers: { cookie: cookie(), ...headers } }));
  const csrf = async (): Promise<string> => {
    const text = await (await get('/account')).text();
    return /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  };
  const post: Browser['post'] = async (path, fields = {}, headers = {}) => {
    const token = cookies.size > 0 ? { csrf: await csrf() } : {};
    const answer = await app.request(path, {
      method: 'POST',
      headers: {
        cookie: cookie(),
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
      body: new URLSearchParams({ ...token, ...fields }).toString(),
    });
    return keep(answer);
  };
  return { get, post, cookies, keep, signIn: (email, password) => post('/sign-in', { email, password }) };
}

/** A user of the app, signed in with a browser. */
export async function signedIn(app: Parameters<typeof makeUser>[0], given: Parameters<typeof makeUser>[1] = {}) {
  const user = await makeUser(app, given);
  const it = browser(app);
  assert.equal((await it.signIn(user.email, user.password)).status, 303);
  return { user, it };
}
