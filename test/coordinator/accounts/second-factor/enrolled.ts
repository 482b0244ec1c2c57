import { enrolFactor } from '../../../../coordinator/accounts/second-factor/enrol-factor.ts';
import { proposeFactor } from '../../../../coordinator/accounts/second-factor/propose-factor.ts';
import type { TestApp } from '../../../support/app.ts';
import { appCode } from '../../../support/authenticator.ts';
import { call, makeUser, signInAgain, type TestUser } from '../../../support/client.ts';
import { contextBy } from '../../../support/verb-outcome.ts';

export interface Enrolled {
  user: TestUser;
  /** as the app keeps it */
  key: string;
  recoveryCodes: string[];
  /** what the app shows now, or so many steps later */
  code: (steps?: number) => string;
}

/** A user with a second factor, a minute ago: the code that enrolled it is of a step that is over. */
export async function makeEnrolled(app: TestApp, given: Parameters<typeof makeUser>[1] = {}): Promise<Enrolled> {
  const user = await makeUser(app, given);
  const context = await contextBy(app, user, given.role ?? 'user');
  const { secret: key } = await proposeFactor(context, null);
  const { recoveryCodes } = await enrolFactor(context, { ticket: null, code: appCode(key, app.clock.now()) });
  app.clock.advance({ minutes: 1 });
  await signInAgain(app, user);
  return { user, key, recoveryCodes, code: (steps = 0) => appCode(key, app.clock.now(), steps) };
}

export const logIn = (app: TestApp, { email, password }: Pick<TestUser, 'email' | 'password'>, code?: string) =>
  call(app, 'POST', '/api/user/login', { body: { email, password, ...(code !== undefined && { code }) } });
