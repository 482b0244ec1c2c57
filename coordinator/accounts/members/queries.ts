import type { Role, Tier } from '../../contract/user.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { one } from '../../platform/db/rows.ts';
import { currentSubscription } from '../standing/queries.ts';

export interface Member {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  role: Role;
  created_at: Date;
  disabled_at: Date | null;
  has_second_factor: boolean;
}

export async function selectMembers(sql: Queryable, customerId: string, limit: number): Promise<Member[]> {
  return sql<Member[]>`
    select id, email, first_name, last_name, role, created_at, disabled_at,
      exists (select from second_factor where user_id = user_account.id and enrolled_at is not null) as has_second_factor
    from user_account where customer_id = ${customerId} order by lower(email) limit ${limit}`;
}

export async function countMembers(sql: Queryable, customerId: string): Promise<number> {
  const row = one(
    await sql<{ count: number }[]>`select count(*)::int as count from user_account where customer_id = ${customerId}`,
  );
  return row.count;
}

export async function setRole(tx: Queryable, userId: string, role: Role): Promise<void> {
  await tx`update user_account set role = ${role} where id = ${userId}`;
}

/** Other users of that role, within the customer if one is given, who may sign in. */
export async function countOthers(
  sql: Queryable,
  { id, role, customerId }: { id: string; role: Role; customerId: string | null },
): Promise<number> {
  const within = customerId === null ? sql`` : sql`and customer_id = ${customerId}`;
  const row = one(
    await sql<{ count: number }[]>`
    select count(*)::int as count from user_account
    where role = ${role} and id <> ${id} and disabled_at is null ${within}`,
  );
  return row.count;
}

export async function setDisabled(tx: Queryable, userId: string, disabledAt: Date | null): Promise<void> {
  await tx`update user_account set disabled_at = ${disabledAt} where id = ${userId}`;
}

export interface ListedUser {
  email: string;
  company_name: string;
  /** null without an active subscription */
  tier: Tier | null;
  role: Role;
  created_at: Date;
  disabled_at: Date | null;
}

export async function selectUsers(sql: Queryable, now: Date, limit: number): Promise<ListedUser[]> {
  return sql<ListedUser[]>`
    select u.email, c.name as company_name, current.tier, u.role, u.created_at, u.disabled_at
    from user_account u join customer c on c.id = u.customer_id
      left join lateral (${currentSubscription(sql, now)}) current on true
    order by lower(c.name), lower(u.email) limit ${limit}`;
}
