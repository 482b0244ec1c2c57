import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { OutputMode } from '../../../agent/run/run-options.ts';
import { chooseRenderer } from '../../../agent/ui/choose-renderer.ts';
import { networkText } from '../../../agent/ui/network-text.ts';
import type { LinksEvent, NetworkEvent } from '../../../agent/run/network-event.ts';
import { runEvent } from '../../../agent/run/run-event.ts';
import type { RunEvent } from '../../../agent/run/run-event.ts';
import { scriptedSummary } from '../support/scripted-summary.ts';
import { testHost } from '../support/test-host.ts';

const at: NetworkEvent = {
  type: 'network',
  item: 1,
  node: 2,
  state: 'rounds',
  nodes_joined: 3,
  nodes_expected: 3,
  nodes_lost: 0,
  rounds_done: 0,
  rounds: 3,
  ends_in_seconds: 9,
  outcome: null,
  message: null,
};
const nodes = [0, 1, 2].map((node) => ({ node, name: `n${node}`, state: 'joined' as const }));
const cells: LinksEvent['cells'] = [
  { source_node: 0, target_node: 1, forward_gbps: 9.41, reverse_gbps: 9.4, latency_us: 21, status: 'ok' },
  { source_node: 1, target_node: 2, forward_gbps: null, reverse_gbps: null, latency_us: null, status: 'refused' },
];
const run = { item: 1, node: 2, outcome: 'completed' as const, message: null, nodes_joined: 3, nodes_lost: 0 };
const events: RunEvent[] = [
  { type: 'step', step: 'measure', state: 'started', message: 'cluster_network: measuring the links' },
  { ...at, state: 'joining', nodes_joined: 1, rounds: null, ends_in_seconds: null },
  at,
  { type: 'links', item: 1, nodes, cells },
  { ...at, state: 'ended', outcome: 'completed', rounds_done: 3 },
  { ...scriptedSummary, network: [{ ...run, reports_undelivered: 0 }] },
];

function shown(t: TestContext, mode: OutputMode, columns?: number) {
  const host = testHost(t, { env: { TERM: 'xterm', NO_COLOR: '1' }, ...(columns === undefined ? {} : { columns }) });
  let now = 0;
  const renderer = chooseRenderer({ ...host, clock: { ...host.clock, elapsed: () => now } }, mode);
  for (const event of events) {
    now += 1_000;
    renderer.show(event, new Date(now));
    renderer.tick();
  }
  renderer.close();
  return { out: host.out(), err: host.err() };
}

test('a log has a line per change of the run, and the summary the matrix, marked as not the result', (t) => {
  const { out, err } = shown(t, 'auto');
  assert.match(err, /cluster_network: waiting for the other nodes, 1 of 3 nodes\n/);
  assert.match(err, /cluster_network: measuring links, round 1 of 3, 3 nodes, about 9 s left\n/);
  assert.match(out, /Gb\/s from row to column, 2 of 3 links\n/);
  assert.match(out, /not the job's result: mean 9\.405, least 9\.400 Gb\/s, 2\s+directions/);
  assert.match(out, /verdicts on nodes and links: see the job's report/);
});

test('a terminal shows the matrix while links are measured, and no frame is taller than it', (t) => {
  const { err } = shown(t, 'auto', 80);
  // Each but the first begins with the way up to its first line.
  // oxlint-disable-next-line no-control-regex -- the codes themselves are under test
  const frames = err.split(/\u001b\[\d+A\r/);
  const matrix = frames.filter((frame) => frame.includes('from row to column'));
  assert.ok(matrix.length > 0);
  assert.match(matrix[0] ?? '', /n1\n/);
  for (const frame of frames) assert.ok(frame.split('\n').length <= 24, frame);
});

test('--json prints every event unchanged, classic every change as a message', (t) => {
  const lines = shown(t, 'json')
    .out.trim()
    .split('\n')
    .map((line) => runEvent.parse(JSON.parse(line)));
  assert.deepEqual(
    lines.map(({ type }) => type),
    events.map(({ type }) => type),
  );
  assert.deepEqual(
    lines.find((line) => line.type === 'links'),
    events[3],
  );
  assert.match(shown(t, 'classic').out, /"msg":"cluster_network: measuring links, round 1 of 3/);
});

test('lost nodes are reported, and the round never exceeds the last', () => {
  assert.equal(
    networkText({ ...at, rounds_done: 3, nodes_lost: 2, ends_in_seconds: 120 }),
    'cluster_network: measuring links, round 3 of 3, 3 nodes, 2 lost, about 2 min left',
  );
});
