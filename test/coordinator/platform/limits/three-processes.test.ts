import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCoordinators } from '../../../e2e/coordinator-process.ts';
import { testApp } from '../../../support/app.ts';
import { limitedUser } from './limited-app.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');

test('three coordinator processes on one database allow one bucket between them', async (t) => {
  const app = await testApp(t);
  const { authorization: headers } = await limitedUser(app, { burst: 300 });
  const places = ['a', 'b', 'c'].map((name) => ({
    root,
    dataDir: join(app.platform.config.dataDir, name),
    environment: { DATABASE_URL: app.databaseUrl, RATE_LIMITS: 'on' },
  }));
  const coordinators = await startCoordinators(t, places);
  const statuses = new Map<number, number>();
  await Promise.all(
    coordinators.flatMap(({ baseUrl }) =>
      Array.from({ length: 20 }, async () => {
        for (let n = 0; n < 15; n += 1) {
          const response = await fetch(`${baseUrl}/api/user/me`, { headers });
          await response.arrayBuffer();
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        }
      }),
    ),
  );
  // 3 x 20 x 15 = 900 calls on 300 tokens, of which one a minute comes back; a tenth may be held idle.
  const passed = statuses.get(200) ?? 0;
  assert.ok(passed >= 270 && passed <= 330, `${passed} passed`);
  assert.equal(passed + (statuses.get(429) ?? 0), 900, JSON.stringify([...statuses]));
});
