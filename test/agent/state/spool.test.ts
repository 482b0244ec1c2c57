import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { upload } from '../../../agent/cli/upload-command.ts';
import { realDisk } from '../../../agent/state/disk.ts';
import type { Disk } from '../../../agent/state/disk.ts';
import { keepResults } from '../../../agent/session/keep-results.ts';
import { openEntry, sealEntry } from '../../../agent/state/spool-entry.ts';
import type { SpoolEntry } from '../../../agent/state/spool-entry.ts';
import { DiskFullError, Spool } from '../../../agent/state/spool.ts';
import type { RunEvent } from '../../../agent/run/run-event.ts';
import { jsonFlags, shortLimits } from '../support/run-harness.ts';
import { testHost } from '../support/test-host.ts';

const entry: SpoolEntry = {
  saved_at: '2026-01-01T00:00:00Z',
  coordinator: 'http://127.0.0.1:9',
  token: 'secret',
  task: { job_id: '1', task_id: '2', epoch: 1, task_secret: `gmts_${'A'.repeat(43)}` },
  registrant: { machine_uuid: 'm', session_id: 's', agent_version: '1', hostname: null, launcher: {} },
  result: {
    machine_uuid: 'm',
    benchmark_id: 'quick_mark',
    attempt: 1,
    state: 'failed',
    started_at: '2026-01-01T00:00:00Z',
    ended_at: '2026-01-01T00:00:01Z',
    error_message: 'x',
    warnings: [],
    payload: null,
  },
  ending: { kind: 'complete', warnings: [] },
};

/** A disk that takes nothing while `full` says so; the reserve is the file it asks about. */
const diskThatIs = (full: (path: string) => boolean): Disk => ({
  ...realDisk,
  writeDurably(path, content) {
    if (full(path))
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
    realDisk.writeDurably(path, content);
  },
});

test('an entry is read back as written; a truncated or altered one is rejected', () => {
  const sealed = sealEntry(entry);
  assert.deepEqual(openEntry(sealed), entry);
  assert.equal(openEntry(sealed.slice(0, -10)), null);
  assert.equal(openEntry(sealed.replace('"attempt":1', '"attempt":2')), null);
  assert.equal(openEntry('{"schema":"gpumark.spool/2"}'), null);
});

test('on a full disk the reserve is released and the result is still saved', (t) => {
  const host = testHost(t);
  const reserve = join(host.folder, 'spool', '.reserve');
  const spool = new Spool(
    host.folder,
    diskThatIs((path) => path.endsWith('.json') && existsSync(reserve)),
  );
  spool.prepare();
  assert.ok(existsSync(reserve));
  const path = spool.save(entry, host.clock, host.random);
  assert.deepEqual(spool.read(path), entry);
  assert.ok(!existsSync(reserve));
});

test('if not even the reserve helps, the result goes to stdout, with a warning', (t) => {
  const host = testHost(t);
  const spool = new Spool(
    host.folder,
    diskThatIs((path) => path.endsWith('.json')),
  );
  spool.prepare();
  assert.throws(() => spool.save(entry, host.clock, host.random), DiskFullError);
  const events: RunEvent[] = [];
  const record = { warnings: [] as string[], spool_file: null as string | null };
  const kept = keepResults({ host, record, emit: (event) => void events.push(event) }, spool, [entry]);
  assert.equal(kept[0]?.path, null);
  assert.deepEqual(events[0]?.type === 'unsaved-result' ? events[0].result : null, entry.result);
  assert.match(record.warnings[0] ?? '', /could not be kept/);
});

test('a full spool refuses new results with a message, without losing any', (t) => {
  const host = testHost(t);
  const spool = new Spool(host.folder);
  spool.prepare();
  for (let index = 0; index < 1000; index += 1) writeFileSync(join(spool.directory, `${index}.json`), '');
  assert.throws(() => spool.save(entry, host.clock, host.random), DiskFullError);
  assert.equal(spool.waiting().length, 1000);
});

test('entries are delivered oldest first', (t) => {
  const host = testHost(t);
  const spool = new Spool(host.folder);
  spool.prepare();
  const times = [3_000, 1_000, 2_000];
  const paths = times.map((now) => spool.save(entry, { ...host.clock, now: () => now }, host.random));
  assert.deepEqual(spool.waiting(), [paths[1], paths[2], paths[0]]);
});

test('a damaged file is quarantined by upload and never deleted', async (t) => {
  const host = testHost(t);
  const folder = join(host.folder, 'state', 'spool');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'a.json'), 'half of');
  assert.equal(await upload(host, jsonFlags, shortLimits), 4);
  assert.deepEqual(readdirSync(join(folder, 'quarantine')), ['a.json']);
  assert.equal(readFileSync(join(folder, 'quarantine', 'a.json'), 'utf8'), 'half of');
});
