import type { TestApp } from '../../support/app.ts';
import { makeUser, type TestUser } from '../../support/client.ts';

/** As many customers as it takes until others are what one expects. */
export async function fiveCustomers(app: TestApp): Promise<TestUser[]> {
  const customers: TestUser[] = [];
  for (let n = 0; n < 5; n += 1) customers.push(await makeUser(app));
  return customers;
}
