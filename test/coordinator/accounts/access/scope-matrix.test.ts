import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { credentialVerifiers } from '../../../../coordinator/accounts/credentials.ts';
import { authenticator, authorise } from '../../../../coordinator/platform/http/auth/admit.ts';
import { DomainError } from '../../../../coordinator/platform/errors.ts';
import type { BoundRoute } from '../../../../coordinator/platform/http/http-env.ts';
import { testApp } from '../../../support/app.ts';
import { makeUser } from '../../../support/client.ts';
import { matchesGolden } from '../../../support/golden.ts';
import { makeJob } from '../../jobs/node.ts';
import { callersOf, TIERS, type Caller } from './callers.ts';

const app = await testApp({ after }, { logLevel: 'info' });
const job = await makeJob(app, await makeUser(app));
const callers: Caller[] = [];
for (const tier of TIERS) callers.push(...(await callersOf(app, tier)));
const authenticate = authenticator(credentialVerifiers(app.platform));

/** `ok`, or the status and, where a subscription decides, the code. */
async function outcome(route: BoundRoute, token: string | null): Promise<string> {
  const given = token === null ? undefined : `Bearer ${token}`;
  try {
    authorise(await authenticate(route, given), route.needs);
    return 'ok';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.kind === 'unauthenticated' ? '401' : `403${error.code === undefined ? '' : ` ${error.code}`}`;
  }
}

/** One word if the subscription makes no difference, else what it is with each. */
async function ofKind(route: BoundRoute, kind: string): Promise<string> {
  const found = await Promise.all(
    callers
      .filter((caller) => caller.kind === kind)
      .map(async ({ tier, token }) => [tier, await outcome(route, token)] as const),
  );
  const words = Map.groupBy(found, ([, word]) => word);
  if (words.size === 1) return found[0]?.[1] ?? '';
  return [...words].map(([word, tiers]) => `${word} (${tiers.map(([tier]) => tier).join(', ')})`).join('; ');
}

const KINDS = ['user', 'customer_admin', 'staff', 'root_admin', 'application', 'api_key'] as const;

test('who may call which operation: the matrix is the golden one, and every route is in it', async () => {
  const lines: string[] = [];
  for (const route of app.app.routes) {
    const cells = [
      `nobody: ${await outcome(route, null)}`,
      `job token: ${await outcome(route, job.token)}`,
      ...(await Promise.all(KINDS.map(async (kind) => `${kind}: ${await ofKind(route, kind)}`))),
    ];
    lines.push(`${route.method} ${route.path}\n${cells.map((cell) => `    ${cell}\n`).join('')}`);
  }
  assert.equal(lines.length, app.app.routes.length);
  await matchesGolden('scopes.txt', lines.toSorted().join(''));
});

test('an operation of a product asks for it, and every operation for people and programs says its needs by data', () => {
  for (const { path, needs } of app.app.routes) {
    if (path.startsWith('/api/application/')) assert.equal(needs.subscription, true, path);
    if (path.startsWith('/api/gpu-index/')) assert.equal(needs.product, 'gpu-index', path);
    if (path.startsWith('/api/gpu-forward/')) assert.equal(needs.product, 'gpu-forward', path);
    if (path.startsWith('/api/price-iq/') && path !== '/api/price-iq/specs-list')
      assert.equal(needs.product, 'price-iq', path);
    if (path.startsWith('/api/token-price/')) assert.equal(needs.product, 'token-prices', path);
    if (path.startsWith('/api/carbon/')) assert.equal(needs.subscription, true, path);
  }
});
