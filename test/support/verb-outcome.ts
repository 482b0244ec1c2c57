import type { Role } from '../../coordinator/contract/user.ts';
import type { Context } from '../../coordinator/platform/context.ts';
import { DomainError } from '../../coordinator/platform/errors.ts';
import type { TestApp } from './app.ts';
import { actorOf, type TestUser } from './client.ts';

/** A context in which that user calls, with that role. */
export const contextBy = async (app: TestApp, user: TestUser, role: Role): Promise<Context> => ({
  ...app.context,
  actor: await actorOf(app, user, role),
});

/** `done`, or the kind of what a verb threw. */
export const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof DomainError ? error.kind : String(error)),
  );
