import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { execa } from 'execa';
import { chooseRenderer } from '../../../agent/ui/choose-renderer.ts';
import { linkMatrix } from '../../../agent/ui/link-matrix.ts';
import { liveFrame } from '../../../agent/ui/live-frame.ts';
import { foldLinks } from '../../../agent/ui/link-view.ts';
import { colourPaint, plainPaint } from '../../../agent/ui/paint.ts';
import { emptyView, updateView } from '../../../agent/ui/run-view.ts';
import { until } from '../../support/until.ts';
import { playRun, scriptedRun } from '../support/scripted-run.ts';
import { terminal } from '../support/terminal.ts';
import { testHost } from '../support/test-host.ts';

/** What the scripted run writes to a terminal of this size, up to its summary, which goes to stdout. */
function written(t: TestContext, columns: number, rows: number): string[] {
  const host = testHost(t, { env: { TERM: 'xterm' }, columns });
  const texts: string[] = [];
  const stderr = { ...host.stderr, columns, rows, write: (text: string) => texts.push(text) };
  let now = 0;
  playRun(chooseRenderer({ ...host, stderr, clock: { ...host.clock, elapsed: () => now } }, 'auto'), (elapsed) => {
    now = elapsed;
  });
  return texts;
}

const copies = (lines: readonly string[]): number =>
  lines.filter((line) => line.startsWith('gpumark-agent 1.2.3')).length;

test('a run in an empty pane of any height leaves no copy of the table in its history', (t) => {
  for (const rows of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 24, 50])
    for (const columns of [8, 20, 40, 80, 200]) {
      const pane = terminal(columns, rows);
      for (const text of written(t, columns, rows)) pane.write(text);
      assert.equal(copies(pane.history), 0, `${columns} x ${rows}\n${pane.history.join('\n')}`);
      assert.ok(copies(pane.screen()) <= 1, `${columns} x ${rows}`);
    }
});

test('a run that begins at the bottom of a full pane keeps what was above, once, and adds no copies', (t) => {
  const pane = terminal(80, 12);
  for (let line = 1; line <= 30; line += 1) pane.write(`before ${line}\n`);
  for (const text of written(t, 80, 12)) pane.write(text);
  const all = [...pane.history, ...pane.screen()];
  assert.deepEqual(
    all.filter((line) => line.startsWith('before')),
    Array.from({ length: 30 }, (_, index) => `before ${index + 1}`),
  );
  assert.equal(copies(all), 1);
});

test('a notice is kept above the table, also one that is wider than the pane', (t) => {
  for (const columns of [30, 80]) {
    const pane = terminal(columns, 24);
    for (const text of written(t, columns, 24)) pane.write(text);
    const all = [...pane.history, ...pane.screen()];
    const notice = all.findIndex((line) => line.includes('the card slowed'));
    const table = all.findIndex((line) => line.startsWith('gpumark-agent 1.2.3'));
    assert.ok(notice !== -1 && notice < table, all.join('\n'));
    assert.equal(all.filter((line) => line.includes('the card slowed')).length, 1);
  }
});

test('the table and the matrix of links are lower than the pane and narrower, however small it is', () => {
  const devices = emptyView();
  for (const [, event] of scriptedRun) updateView(devices, event, 0);
  updateView(devices, { type: 'step', step: 'measure', state: 'started', message: 'measuring' }, 0);
  const matrix = structuredClone(devices);
  const nodes = Array.from({ length: 64 }, (_, node) => ({ node, name: `node-${node}`, state: 'joined' as const }));
  matrix.links = foldLinks(null, { type: 'links', item: 0, nodes, cells: [] });
  const counts = { nodes: 64, measured: 1, pairs: 2016, slots_done: 0, slots: 1 };
  matrix.network = { ...counts, type: 'network', item: 0, node: 0, state: 'pairwise' } as never;
  for (const view of [devices, matrix])
    for (let rows = 1; rows <= 40; rows += 1)
      for (const columns of [8, 21, 40, 80]) {
        const lines = liveFrame(view, 0, { columns, rows }, plainPaint);
        assert.ok(lines.length < Math.max(2, rows), `${lines.length} lines in ${rows} rows`);
        for (const line of lines) assert.ok(Array.from(line).length < columns, `${columns} columns: ${line}`);
      }
});

test('a low pane shows the progress first, then a device, then the headings', () => {
  const view = emptyView();
  for (const [, event] of scriptedRun) updateView(view, event, 0);
  updateView(view, { type: 'step', step: 'measure', state: 'done', message: 'the progress' }, 0);
  const frame = (rows: number): string[] => liveFrame(view, 0, { columns: 80, rows }, plainPaint);
  assert.deepEqual(frame(2), ['the progress']);
  assert.match(frame(3).join('|'), /^(1 )?[^|]+\|the progress$/);
  assert.ok(frame(4)[0]?.endsWith('°C'), frame(4).join('\n'));
  assert.equal(frame(24).at(-1), 'the progress');
});

test('the legend of the matrix leaves out its colours if they do not fit', () => {
  const nodes = [0, 1].map((node) => ({ node, name: `node-${node}`, state: 'joined' as const }));
  const cell = { source_node: 0, target_node: 1, forward_gbps: 94, reverse_gbps: 93, latency_us: 9, status: 'ok' };
  const links = foldLinks(null, { type: 'links', item: 0, nodes, cells: [cell] } as never);
  // oxlint-disable-next-line no-control-regex -- colours
  const visible = (line: string): number => Array.from(line.replaceAll(/\u001b\[[0-9;]*m/g, '')).length;
  for (const columns of [30, 45, 80])
    for (const line of linkMatrix(links, { columns, rows: 24 }, colourPaint)) assert.ok(visible(line) < columns, line);
});

test('names in wide and combining characters are cut by the columns that they take', () => {
  const view = emptyView();
  const name = '浪潮信息 e\u0301\u0301 サーバー '.repeat(12);
  for (const device_id of ['d1', 'd2'])
    updateView(view, { type: 'device', device_id, name, vendor: 'amd', simulated: false }, 0);
  updateView(view, { type: 'step', step: 'measure', state: 'done', message: name }, 0);
  // Each of these ideographs and kana takes two columns, each accent none.
  const columnsOf = (line: string): number =>
    Array.from(line).reduce(
      (sum, character) => sum + (character === '\u0301' ? 0 : /[\u3000-\u9fff]/.test(character) ? 2 : 1),
      0,
    );
  for (const columns of [20, 21, 40, 80])
    for (const line of liveFrame(view, 0, { columns, rows: 24 }, plainPaint))
      assert.ok(columnsOf(line) < columns, `${columns} columns: ${line}`);
});

test('a terminal that reports 0 x 0 is taken for one of 80 x 24', (t) => {
  assert.deepEqual(written(t, 0, 0), written(t, 80, 24));
});

test('in tmux itself the history has no copy of the table', async (t) => {
  if (!hasTmux()) return t.skip('needs tmux');
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-tmux-'));
  const tmux = async (...words: string[]): Promise<string> =>
    (await execa('tmux', ['-S', join(folder, 'socket'), '-f', '/dev/null', ...words])).stdout;
  t.after(async () => {
    await tmux('kill-server').finally(() => rmSync(folder, { recursive: true, force: true }));
  });
  for (const rows of [9, 24]) {
    const bytes = join(folder, `bytes-${rows}`);
    const name = `pane-${rows}`;
    writeFileSync(bytes, `${written(t, 80, rows).join('')}\r\nall is read`);
    await tmux('new-session', '-d', '-s', name, '-x', '80', '-y', String(rows + 1), `cat ${bytes}; exec sleep 600`);
    const lines = await until(`tmux reads ${rows} rows`, async () => {
      const shown = (await tmux('capture-pane', '-p', '-S', '-', '-t', name)).split('\n');
      return shown.some((line) => line.startsWith('all is read')) && shown;
    });
    assert.ok(copies(lines) <= 1, `${rows} rows:\n${lines.join('\n')}`);
  }
});

function hasTmux(): boolean {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
