import type { Context } from '../../platform/context.ts';
import { selectUsers, type ListedUser } from './queries.ts';

/** More than one table of a terminal holds. */
const MOST_USERS = 10_000;

/** Everybody who has an account, by company; `more` if the list was cut. */
export async function listUsers(context: Context): Promise<{ users: ListedUser[]; more: boolean }> {
  const users = await selectUsers(context.sql, context.now(), MOST_USERS + 1);
  return { users: users.slice(0, MOST_USERS), more: users.length > MOST_USERS };
}
