import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { chooseRenderer } from '../../../agent/ui/choose-renderer.ts';
import { liveFrame } from '../../../agent/ui/live-frame.ts';
import { plainPaint } from '../../../agent/ui/paint.ts';
import { emptyView, updateView } from '../../../agent/ui/run-view.ts';
import { runEvent } from '../../../agent/run/run-event.ts';
import type { OutputMode } from '../../../agent/run/run-options.ts';
import { matchesGolden } from '../../support/golden.ts';
import { playRun, scriptedRun } from '../support/scripted-run.ts';
import { testHost } from '../support/test-host.ts';
import type { TestHost } from '../support/test-host.ts';

interface Screen {
  host: TestHost;
  /** One entry per write to stderr, with the time it came. */
  frames: { at: number; text: string }[];
}

function show(t: TestContext, mode: OutputMode, env: Record<string, string>, columns?: number): Screen {
  const host = testHost(t, { env, ...(columns === undefined ? {} : { columns }) });
  const frames: Screen['frames'] = [];
  let now = 0;
  const stderr = { ...host.stderr, write: (text: string) => (frames.push({ at: now, text }), host.stderr.write(text)) };
  const renderer = chooseRenderer({ ...host, stderr, clock: { ...host.clock, elapsed: () => now } }, mode);
  playRun(renderer, (elapsed) => {
    now = elapsed;
  });
  return { host, frames };
}

// oxlint-disable-next-line no-control-regex -- the codes themselves are under test
const CODES = /\u001b\[[0-9;?]*[A-Za-z]/g;
const visible = (text: string): string => text.replace(CODES, '');
const escaped = (text: string): string => text.replaceAll('\u001b', '<ESC>');

test('the live table at 80 columns is the golden one, frame by frame', async (t) => {
  const { host, frames } = show(t, 'auto', { TERM: 'xterm' }, 80);
  const text = frames.map((frame) => `--- ${frame.at} ms\n${escaped(frame.text)}`).join('');
  await matchesGolden('agent/live-80.txt', `${text}=== stdout\n${escaped(host.out())}`);
});

test('no line of the live table or the summary is wider than 80 columns, nor than 40 in a table of 40', (t) => {
  for (const columns of [80, 40]) {
    const { host, frames } = show(t, 'auto', { TERM: 'xterm' }, columns);
    const notices = /too hot/;
    for (const line of frames
      .flatMap((frame) => visible(frame.text).split(/[\r\n]/))
      .filter((text) => !notices.test(text)))
      assert.ok(Array.from(line).length <= columns, line);
    for (const line of visible(host.out())
      .split('\n')
      .filter((text) => !text.includes('://')))
      assert.ok(Array.from(line).length <= 80, line);
  }
});

test('the table is drawn at most ten times a second', (t) => {
  const { frames } = show(t, 'auto', { TERM: 'xterm' }, 80);
  const draws = frames.filter((frame) => frame.text.includes('gpumark-agent 1.2.3'));
  assert.ok(draws.length > 5);
  for (const [index, draw] of draws.entries()) {
    const before = draws[index - 1];
    const afterNotice = frames.some((frame) => frame.text.includes('too hot') && frame.at === draw.at);
    // A notice pushes the table down, and the summary ends it: both redraw at once.
    if (before !== undefined && !afterNotice && index < draws.length - 1)
      assert.ok(draw.at - before.at >= 100, `${before.at} ${draw.at}`);
  }
});

test('the cursor is shown again, even if the run is cut off', (t) => {
  const host = testHost(t, { env: { TERM: 'xterm' }, columns: 80 });
  const renderer = chooseRenderer(host, 'auto');
  const first = scriptedRun[0];
  assert.ok(first);
  renderer.show(first[1], new Date(0));
  assert.ok(host.err().includes('\u001b[?25l'));
  renderer.close();
  assert.ok(host.err().endsWith('\u001b[?25h'));
});

test('plain lines in a pipe are the golden ones, without any control code', async (t) => {
  const { host } = show(t, 'auto', {});
  assert.ok(!(host.out() + host.err()).includes('\u001b'));
  await matchesGolden('agent/plain.txt', `${host.err()}=== stdout\n${host.out()}`);
});

test('NO_COLOR removes the colours and nothing else on a terminal', (t) => {
  const { host } = show(t, 'auto', { TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: '1' }, 80);
  const coloured = show(t, 'auto', { TERM: 'xterm' }, 80).host;
  // oxlint-disable-next-line no-control-regex -- the codes themselves are under test
  assert.ok(!/\u001b\[[0-9;]*m/.test(host.out() + host.err()));
  assert.equal(visible(host.out()), visible(coloured.out()));
});

test('FORCE_COLOR colours the summary in a pipe', (t) => {
  assert.ok(show(t, 'auto', { FORCE_COLOR: '1' }).host.out().includes('\u001b[32m'));
});

test('a dumb terminal gets plain lines', (t) => {
  assert.ok(!show(t, 'auto', { TERM: 'dumb' }, 80).host.err().includes('\u001b'));
});

test('--json is the golden NDJSON and parses into the same events', async (t) => {
  const { host } = show(t, 'json', {});
  const lines = host
    .out()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    lines.map((line) => runEvent.parse(line)),
    scriptedRun.map(([, event]) => runEvent.parse(event)),
  );
  assert.equal(host.err(), '');
  await matchesGolden('agent/json.ndjson', host.out());
});

test('classic output is the golden one and is read as its readers do: trace id first, document from the line that is only {', async (t) => {
  const { host } = show(t, 'classic', {});
  const lines = host.out().trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^Trace ID: [0-9a-f]{32}$/);
  assert.equal(lines.filter((line) => line === '{').length, 1);
  const start = lines.indexOf('{');
  for (const line of lines.slice(1, start))
    assert.deepEqual(Object.keys(JSON.parse(line) as object), ['time', 'level', 'msg']);
  const detail = JSON.parse(lines.slice(start).join('\n')) as Record<string, unknown>;
  assert.equal(detail['id'], '1847032911563124999');
  assert.equal((detail['inventory'] as { memory: { total_gb: number } }).memory.total_gb, 2163);
  await matchesGolden('agent/classic.txt', host.out());
});

test('text from a machine cannot control the terminal', (t) => {
  for (const mode of ['auto', 'classic'] as const)
    assert.ok(!show(t, mode, {}).host.err().includes('\u001b[31m too hot'));
});

test('with more devices than lines the table still fits the terminal and shows the device at work', () => {
  const view = emptyView();
  for (let number = 1; number <= 64; number += 1)
    updateView(
      view,
      { type: 'device', device_id: `d${number}`, name: `Card ${number}`, vendor: 'amd', simulated: false },
      0,
    );
  updateView(
    view,
    { type: 'phase', device_id: 'd40', benchmark: 'memory', state: 'start', expected_seconds: 4, index: 0, count: 1 },
    0,
  );
  const lines = liveFrame(view, 0, { columns: 80, rows: 24 }, plainPaint);
  assert.ok(lines.length < 24);
  assert.ok(lines.some((line) => line.startsWith('GPU 39 Card 40')));
  assert.match(lines.at(-1) ?? '', /GPU 39 of 64/);
});

test('work on all GPUs at once is labelled as such, and copies are counted by pairs', () => {
  const view = emptyView();
  const device_ids = ['d1', 'd2'];
  for (const device_id of device_ids)
    updateView(view, { type: 'device', device_id, name: 'Card', vendor: 'amd', simulated: false }, 0);
  const stage = { type: 'stage', state: 'start', device_ids } as const;
  updateView(view, { ...stage, stage: 'together', expected_seconds: 8, count: null }, 0);
  const phase = { type: 'phase', device_id: 'd2', benchmark: 'link', state: 'start', index: 2, count: 3 } as const;
  updateView(view, { ...phase, expected_seconds: 2, together: true }, 0);
  const last = (elapsed: number): string =>
    liveFrame(view, elapsed, { columns: 80, rows: 24 }, plainPaint).at(-1) ?? '';
  // 2 of 8 seconds.
  assert.match(last(2000), /25 % {2}all 2 GPUs together, link, 6 s left$/);
  updateView(view, { ...stage, stage: 'matrix', expected_seconds: 4, count: 2 }, 2000);
  const cell = { type: 'cell', source_device_id: 'd1', target_device_id: 'd2', connection_type: 'xGMI' } as const;
  updateView(view, { ...cell, peer_access: true, simplex_gbs: 48, duplex_gbs: 90, reason: null }, 3000);
  assert.match(last(3000), /50 % {2}GPU x GPU copies, 1 of 2 pairs, 3 s left$/);
  updateView(view, { type: 'step', step: 'measure', state: 'done', message: 'measured' }, 4000);
  assert.equal(last(4000), 'measured');
});
