import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { etagServer } from '../../../support/etag-server.ts';
import { untilGone, untilLocked } from '../../../support/other-sessions.ts';
import { marketCommands } from '../../market/market-commands.ts';
import { catalogue, ingested, page, pricesIn, stateOf } from './loaded-tokens.ts';

const main = fileURLToPath(new URL('../../../../coordinator/main.ts', import.meta.url));

test('an address that has not changed is not sent again for the day that has it, and is for another day: its prices still hold', async (t) => {
  const market = await marketCommands(t);
  const { url, asked } = await etagServer(t, () => ({ etag: '"v1"', body: catalogue() }));
  const place = `${url}/api/v1/models`;
  const ingest = async (...rest: string[]): Promise<string> =>
    (await ingested(market, 'openrouter-models', place, '--allow-private-addresses', ...rest)).split('\n')[0] ?? '';
  assert.equal(await ingest('--as-of', '2026-08-10'), ': 3 read, 2 kept (2026-08-10)');
  assert.equal(await ingest('--as-of', '2026-08-10'), ': has not changed since it was read last; nothing to do');
  assert.equal(await ingest('--as-of', '2026-08-11'), ': 3 read, 2 kept (2026-08-11)');
  assert.equal(await ingest('--as-of', '2026-08-10', '--again'), ': 3 read, 2 kept (2026-08-10)');
  assert.deepEqual(asked, [undefined, '"v1"', undefined, undefined]);
  assert.equal((await pricesIn(market.platform.sql)).length, 4);
});

test('rows that say their own day need not be sent again on another', async (t) => {
  const market = await marketCommands(t);
  const { url, asked } = await etagServer(t, () => ({ etag: '"v1"', body: page('2026-08-09') }));
  const place = `${url}/rankings`;
  await ingested(market, 'openrouter-rankings', place, '--allow-private-addresses', '--as-of', '2026-08-10');
  const again = await ingested(
    market,
    'openrouter-rankings',
    place,
    '--allow-private-addresses',
    '--as-of',
    '2026-08-11',
  );
  assert.equal(again, ': has not changed since it was read last; nothing to do');
  assert.deepEqual(asked, [undefined, '"v1"']);
});

test('killed in the middle of an ingestion: of the file there is nothing, and the next run has all', async (t) => {
  const market = await marketCommands(t);
  const { sql } = market.platform;
  const path = await market.file('2026-08-10/models.json', catalogue());
  const earlier = await market.file('2026-08-09/models.json', catalogue('0.000002'));
  await ingested(market, 'openrouter-models', earlier);
  const before = await stateOf(sql);
  // Holding this row stops an ingestion at its very end, when all of its rows are written.
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holder = sql.begin(async (tx) => {
    await tx`select from data_version where area = 'tokens' for update`;
    held.resolve();
    await released.promise;
  });
  await held.promise;
  const child = spawn(process.execPath, [main, 'ingest', 'openrouter-models', path], {
    env: { ...market.environment, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  t.after(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await untilLocked(sql, 1, '%update data_version%');
  child.kill('SIGKILL');
  assert.equal((await ended)[1], 'SIGKILL');
  released.resolve();
  await holder;
  await untilGone(sql, 'gpumark market');
  assert.deepEqual(await stateOf(sql), before);
  assert.match(await ingested(market, 'openrouter-models', path), /^: 3 read, 2 kept \(2026-08-10\)/);
  assert.equal((await pricesIn(sql)).length, 4);
});
