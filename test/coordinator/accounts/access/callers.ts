import { createKey } from '../../../../coordinator/accounts/api-keys/keys.ts';
import { addKeyName } from '../../../../coordinator/accounts/api-keys/key-names.ts';
import { createApplication } from '../../../../coordinator/accounts/applications/create-application.ts';
import { generateToken } from '../../../../coordinator/accounts/applications/generate-token.ts';
import type { Role, Tier } from '../../../../coordinator/contract/user.ts';
import type { TestApp } from '../../../support/app.ts';
import { actorOf, makeUser, type TestUser } from '../../../support/client.ts';

export const TIERS = ['none', 'basic', 'plus', 'professional', 'enterprise'] as const;
export const ROLES = ['user', 'customer_admin', 'staff', 'root_admin'] as const;
export type TierOrNone = (typeof TIERS)[number];

export interface Caller {
  kind: 'application' | 'api_key' | Role;
  tier: TierOrNone;
  customerId: string;
  token: string;
  user: TestUser;
}

/** People of every role, an application token and an API key, all of one company with that subscription. */
export async function callersOf(app: TestApp, tier: TierOrNone): Promise<Caller[]> {
  const company = `Company with ${tier} ${app.platform.newId()}`;
  const subscription: Tier = tier === 'none' ? 'enterprise' : tier;
  const people: TestUser[] = [];
  for (const role of ROLES)
    people.push(await makeUser(app, { company, role, ...(role === 'user' && { tier: subscription }) }));
  const [user] = people;
  if (!user) throw new Error('nobody was made');
  // Made while everything is allowed; what they open afterwards is what is asked.
  const known = await actorOf(app, user);
  const generous = { ...known.standing, terms: { ...known.standing.terms, api_keys: 9 } };
  const actor = { ...known, standing: generous };
  const context = { ...app.context, actor };
  const application = await createApplication(context, { name: 'program' });
  const { app_token } = await generateToken(context, application);
  const of = { customerId: user.customerId, standing: generous };
  await addKeyName(context, of, { name: 'key', description: 'd' });
  const { key } = await createKey(context, of, 'key');
  if (tier === 'none') await app.platform.sql`delete from subscription where customer_id = ${user.customerId}`;
  const { customerId } = user;
  return [
    { kind: 'application', tier, customerId, token: app_token, user },
    { kind: 'api_key', tier, customerId, token: key, user },
    ...people.map((person, at): Caller => ({
      kind: ROLES[at] ?? 'user',
      tier,
      customerId,
      token: person.tokens.id_token,
      user: person,
    })),
  ];
}
