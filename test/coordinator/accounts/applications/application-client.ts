import assert from 'node:assert/strict';
import type { TestApp } from '../../../support/app.ts';
import { call, type Answer, type TestUser } from '../../../support/client.ts';
import { at, textAt } from '../../jobs/node.ts';

export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
export const codeOf = ({ body }: Answer) => at(body, 'meta', 'code');

/** Names of one company's applications differ, also those of several people. */
let made = 0;

/** The application operations of one app, as `user` unless another caller is named. */
export function applicationClient(app: TestApp, user: TestUser) {
  const send = (method: string, name: string, body?: unknown, caller: TestUser = user) =>
    call(app, method, `/api/application/${name}`, { body, headers: caller.authorization });
  const create = async (caller: TestUser = user) => {
    const name = `application ${(made += 1)}`;
    const { body, status } = await send('POST', 'create', { name }, caller);
    assert.equal(status, 200, JSON.stringify(body));
    const of = (key: string) => textAt(body, 'data', key);
    return { name, id: of('id'), client_id: of('client_id'), client_secret: of('client_secret') };
  };
  const createWithToken = async (caller: TestUser = user) => {
    const { name, id, ...client } = await create(caller);
    const { body, status } = await send('POST', 'generate-token', client, caller);
    assert.equal(status, 200, JSON.stringify(body));
    return { name, id, client, token: textAt(body, 'data', 'app_token'), tokenId: textAt(body, 'data', 'id') };
  };
  /** Takes all applications away, so that the tier's number is free again. */
  const clear = async (): Promise<void> => void (await app.platform.sql`delete from application`);
  return { send, create, createWithToken, clear };
}
