import type { Context } from '../platform/context.ts';
import { insertUserWithCompany } from './create-user.ts';
import { mayTakeLong } from '../platform/db/transactions.ts';
import { endOfGenerated, generatePassword } from './generated-password.ts';
import { hashPassword } from './password.ts';
import { refuseWeakPassword } from './passwords/refuse-weak-password.ts';
import { findOldestAdmin, hasUsers, lockAccounts } from './queries.ts';

const DEFAULT_ADMIN_EMAIL = 'admin@gpumark.local';
const COMPANY = 'Operator';

/**
 * Creates the first user, a root admin, in a database without users. Returns its address and, if no password was given, the
 * generated one, which is shown nowhere else and is valid for some days. Null if there are users.
 */
export async function ensureFirstAdmin(
  context: Context,
  given: { email: string | null; password: string | null },
): Promise<{ email: string; generatedPassword: string | null } | null> {
  if (await hasUsers(context.sql)) return null;
  const email = (given.email ?? DEFAULT_ADMIN_EMAIL).toLowerCase();
  const password = given.password ?? generatePassword(context.randomBytes);
  if (given.password !== null) await refuseWeakPassword('ADMIN_PASSWORD', password, { email, company: COMPANY });
  const passwordHash = await hashPassword(password, context.randomBytes);
  const created = await context.sql.begin(async (tx) => {
    await mayTakeLong(tx);
    await lockAccounts(tx);
    // Another process may have been first.
    if (await hasUsers(tx)) return false;
    const admin = {
      email,
      company: COMPANY,
      role: 'root_admin',
      tier: 'enterprise',
      firstName: '',
      lastName: '',
    } as const;
    const passwordEndsAt = given.password === null ? endOfGenerated(context.now()) : null;
    await insertUserWithCompany(context, tx, { ...admin, passwordHash, passwordEndsAt });
    return true;
  });
  return created ? { email, generatedPassword: given.password === null ? password : null } : null;
}

/** Address of the root admin who has been here longest and may sign in; null if there is none. */
export const oldestAdmin = ({ sql }: Pick<Context, 'sql'>): Promise<string | null> => findOldestAdmin(sql);
