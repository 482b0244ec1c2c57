import { randomBytes } from 'node:crypto';
import { insertUserWithCompany } from '../../coordinator/accounts/create-user.ts';
import { issueLoginTokens } from '../../coordinator/accounts/login-tokens.ts';
import { beginSession } from '../../coordinator/accounts/sessions/begin-session.ts';
import { hashPassword } from '../../coordinator/accounts/password.ts';
import { findStanding } from '../../coordinator/accounts/standing/queries.ts';
import { findUser, lockAccounts } from '../../coordinator/accounts/queries.ts';
import type { LoginData, Role, Tier } from '../../coordinator/contract/user.ts';
import type { TestApp } from './app.ts';

export interface TestUser {
  userId: string;
  customerId: string;
  email: string;
  password: string;
  tokens: LoginData;
  /** `{authorization: 'Bearer ...'}` with the id_token. */
  authorization: { authorization: string };
}

interface NewUser {
  email: string;
  company: string;
  role: Role;
  tier: Tier;
  password: string;
}

let made = 0;

/** A user, its company, and a login that did not go through the password. */
export async function makeUser(test: TestApp, given: Partial<NewUser> = {}): Promise<TestUser> {
  made += 1;
  const { email = `person${made}@example.com`, password = 'correct horse battery' } = given;
  const { company = `Company ${made}`, role = 'user', tier = null } = given;
  const names = { firstName: 'Ada', lastName: 'Lovelace' };
  const passwordHash = await hashOf(password);
  const ids = await test.context.sql.begin(async (tx) => {
    await lockAccounts(tx);
    return insertUserWithCompany(test.context, tx, { email, passwordHash, company, role, tier, ...names });
  });
  return { ...ids, email, password, ...(await signedIn(test, ids.userId)) };
}

/** A login lasts an hour, which the clock of a test may pass: the same user, with tokens of now. */
export async function signInAgain(test: TestApp, user: TestUser): Promise<void> {
  Object.assign(user, await signedIn(test, user.userId));
}

async function signedIn(test: TestApp, userId: string): Promise<Pick<TestUser, 'tokens' | 'authorization'>> {
  const row = await findUser(test.platform.sql, userId);
  if (!row) throw new Error('the user is not there');
  const session = await beginSession(test.context, test.platform.sql, row.id);
  const tokens = await issueLoginTokens(test.context, row, session);
  return { tokens, authorization: { authorization: `Bearer ${tokens.id_token}` } };
}

/** A hash takes 50 ms of a core and no test asks for one of its own; `createUser` has tests of its own. */
function hashOf(password: string): Promise<string> {
  let hash = hashes.get(password);
  if (hash === undefined) hashes.set(password, (hash = hashPassword(password, randomBytes)));
  return hash;
}
const hashes = new Map<string, Promise<string>>();

/** The user as a verb's caller, with what its customer may do now. */
export async function actorOf({ context }: TestApp, { userId, customerId }: TestUser, role: Role = 'user') {
  const standing = await findStanding(context.sql, customerId, context.now());
  if (!standing) throw new Error('the customer is not there');
  return { kind: 'user', userId, customerId, role, standing, sessionId: null } as const;
}

export interface Answer {
  status: number;
  headers: Headers;
  // Tests read into bodies of any operation; the shape is what they assert.
  body: Json;
  /** The body as it came. */
  text: string;
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One JSON request to the app inside this process. */
export async function call(
  test: TestApp,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const json = options.body === undefined ? {} : { 'content-type': 'application/json' };
  const body = options.body === undefined ? {} : { body: JSON.stringify(options.body) };
  const response = await test.app.request(path, { method, headers: { ...json, ...options.headers }, ...body });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text), text };
}

function parsed(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
