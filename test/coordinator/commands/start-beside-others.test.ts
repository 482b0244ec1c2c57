import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureFirstAdmin } from '../../../coordinator/accounts/ensure-first-admin.ts';
import { ensureCarbon } from '../../../coordinator/carbon/store-editions.ts';
import { ensureCatalogue, exportCatalogue, importCatalogue } from '../../../coordinator/catalog/catalogue-table.ts';
import { extendLeases } from '../../../coordinator/lifecycle/change-task.ts';
import { ensureProviders, exportProviders, importProviders } from '../../../coordinator/market/providers-table.ts';
import { systemContext, type Context } from '../../../coordinator/platform/context.ts';
import { connectDatabase } from '../../../coordinator/platform/db/client.ts';
import { testApp } from '../../support/app.ts';
import { untilLocked } from '../../support/other-sessions.ts';

const app = await testApp({ after });
/** A request would end after so long; a start must not. */
const LOCK_TIMEOUT_MS = 100;
const sql = connectDatabase({ url: app.databaseUrl, lockTimeoutMs: LOCK_TIMEOUT_MS });
after(() => sql.end());

const held = 'task_lease, product, provider, carbon_edition, customer';
const steps: Record<string, (context: Context) => Promise<unknown>> = {
  'the first administrator': (context) => ensureFirstAdmin(context, { email: null, password: null }),
  'the catalogue': ensureCatalogue,
  'the providers': ensureProviders,
  'the factors of carbon': ensureCarbon,
  'leases of running nodes': extendLeases,
};

for (const [name, step] of Object.entries(steps))
  test(`a start waits as long as another process holds what it fills: ${name}`, async () => {
    const [isHeld, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = app.platform.sql.begin(async (tx) => {
      await tx.unsafe(`lock table ${held} in share row exclusive mode`);
      isHeld.resolve();
      await released.promise;
    });
    await isHeld.promise;
    const started = step(systemContext({ ...app.platform, sql }, 'start'));
    const ended = assert.doesNotReject(started);
    try {
      const waits = untilLocked(app.platform.sql);
      assert.equal(await Promise.race([ended.then(() => 'ended'), waits.then(() => 'waits')]), 'waits');
      await delay(3 * LOCK_TIMEOUT_MS);
    } finally {
      released.resolve();
      await holding;
    }
    await ended;
  });

const tables = {
  product: { toCsv: exportCatalogue, fromCsv: importCatalogue },
  provider: { toCsv: exportProviders, fromCsv: importProviders },
};

for (const [table, { toCsv, fromCsv }] of Object.entries(tables))
  test(`the rows of a table are imported in one order and in the other at once: ${table}`, async () => {
    const context = systemContext(app.platform, 'test');
    const [head, ...rows] = (await toCsv(context)).trimEnd().split('\n');
    const load = (some: string[]) => fromCsv(context, 'rows.csv', [head, ...some, ''].join('\n'));
    const both = await app.platform.sql.begin(async (tx) => {
      // The row in the middle: each import would hold one half when it reaches this row, and then want the other half.
      await tx.unsafe(`select from ${table} order by slug offset ${Math.floor(rows.length / 2)} limit 1 for update`);
      const loads = Promise.allSettled([load(rows), load(rows.toReversed())]);
      await untilLocked(app.platform.sql, 2);
      return { loads };
    });
    assert.deepEqual(
      (await both.loads).map((load) => (load.status === 'rejected' ? String(load.reason) : load.value)),
      [{ rows: rows.length }, { rows: rows.length }],
    );
  });
