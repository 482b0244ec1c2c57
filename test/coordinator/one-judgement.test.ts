import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainPaint } from '../../agent/ui/paint.ts';
import { summaryText } from '../../agent/ui/summary-text.ts';
import { judgement, type Judgement } from '../../coordinator/contract/judgement.ts';
import { quickMarkResults, type QuickMarkResults } from '../../coordinator/contract/quick-mark.ts';
import { findingWords, subjectLine, verdictLine } from '../../coordinator/figures/findings/finding-words.ts';
import { nodeJudgement } from '../../coordinator/figures/findings/node-judgement.ts';
import { taskJudgement } from '../../coordinator/figures/findings/task-judgement.ts';
import { reportData } from '../../coordinator/jobs/report-data.ts';
import { renderPdf } from '../../coordinator/reports/render-pdf.ts';
import { unpackReport } from '../../coordinator/reports/unpack-report.ts';
import { call } from '../support/client.ts';
import { scriptedSummary } from '../agent/support/scripted-summary.ts';
import { at, getJob, Node, type MadeJob } from './jobs/node.ts';
import { type Device, upload } from './jobs/upload.ts';
import { browser } from './portal/browser-session.ts';
import { pdfText } from './reports/pdf-text.ts';
import { app, forward, fresh, owner } from './agent-protocol/protocol-app.ts';

type Change = (results: QuickMarkResults) => void;
interface Run {
  title: string;
  nodes?: number;
  devices?: Device[];
  change?: Change;
  /** what becomes of the last node; it delivers and completes if left out */
  last?: 'failed' | 'lost' | 'running' | 'missing';
  /** what the job is found to be: [bad, check] and the rules, worst first */
  found: [bad: number, check: number, rules: string[]];
}

const card: Device = { engine: 'vendor' };
const cards = (count: number, odd: Record<number, Device> = {}): Device[] =>
  Array.from({ length: count }, (_, index) => ({ ...card, ...odd[index] }));
const detail =
  (index: number, metric: string, facts: object): Change =>
  ({ test_results }) => {
    const device = test_results[index];
    assert.ok(device);
    device.details[metric] = facts;
  };
const stats = { n: 11, min: 1, max: 1, median: 1, p5: 1, p95: 1, cv: 0.2 };
const healthy = { backend: 'cuda', driver_version: '580.65.06' };

const RUNS: Run[] = [
  { title: 'one healthy card', devices: cards(1), found: [0, 0, []] },
  { title: 'eight healthy cards', devices: cards(8), found: [0, 0, []] },
  { title: '64 healthy cards in eight nodes', nodes: 8, devices: cards(8), found: [0, 0, []] },
  { title: 'a card behind its peers', devices: cards(8, { 7: { memory: 2640 } }), found: [1, 0, ['peers']] },
  {
    title: 'a wrong result',
    devices: cards(2),
    change: detail(1, 'host_to_device_bandwidth_gbs', { verified: false }),
    found: [1, 1, ['verification', 'unranked']],
  },
  {
    title: 'a spread of a fifth',
    devices: cards(1),
    change: detail(0, 'memory_bandwidth_gbs', { stats }),
    found: [0, 1, ['spread']],
  },
  {
    title: 'a figure whose measuring failed',
    devices: cards(1),
    change: (results) => {
      const [device] = results.test_results;
      assert.ok(device);
      device.fp16_tflops = null;
      device.unavailable['fp16_tflops'] = 'the library gave up';
      device.details['fp16_tflops'] = { absence: 'failed' };
    },
    found: [0, 1, ['figure_missing']],
  },
  {
    title: 'a warning of the health rules',
    devices: cards(2),
    change: (results) => {
      detail(1, 'device', healthy)(results);
      detail(1, 'temperature_centigrade', { xid: [], throttle: [], pcie_replays_during_run: 100_000 })(results);
    },
    found: [0, 1, ['pcie_replays_during_run']],
  },
  {
    title: 'a critical finding of the health rules',
    devices: cards(2),
    change: detail(1, 'device', {
      ...healthy,
      row_remaps: { correctable: 0, uncorrectable: 0, pending: false, failure: true },
    }),
    found: [1, 0, ['row_remap_failed']],
  },
  {
    title: 'less while all work at once',
    devices: cards(2),
    change: ({ test_results: [device] }) => {
      if (device) device.together = { memory_bandwidth_gbs: { value: 2400, alone: 3000, gap: 0.2 } };
    },
    found: [1, 0, ['all_at_once']],
  },
  {
    title: 'cards measured by different engines',
    devices: cards(4, { 3: { engine: 'own' } }),
    found: [0, 1, ['engines_mixed']],
  },
  {
    title: 'a processor',
    devices: [{ vendor: 'cpu', model: 'AMD EPYC 9B14', bf16: null, memory: 200, copies: null }],
    found: [0, 0, []],
  },
  {
    title: 'simulated cards',
    devices: cards(2, { 0: { simulated: true }, 1: { simulated: true } }),
    found: [0, 0, []],
  },
  { title: 'a node that failed', nodes: 2, devices: cards(2), last: 'failed', found: [1, 0, ['node_failed']] },
  { title: 'a node that was lost', nodes: 2, devices: cards(2), last: 'lost', found: [1, 0, ['node_lost']] },
  { title: 'a node that still works', nodes: 2, devices: cards(2), last: 'running', found: [0, 0, []] },
  { title: 'a node that never came', nodes: 2, devices: cards(2), last: 'missing', found: [0, 1, ['nodes_missing']] },
];

/** A job of these nodes, brought to where `last` leaves it. */
async function run({ nodes = 1, devices = [], change = () => undefined, last }: Run): Promise<MadeJob> {
  const job = await fresh({ node_count: nodes });
  const all = Array.from({ length: last === 'missing' ? nodes - 1 : nodes }, () => new Node(app, job));
  for (const node of all) {
    await node.register();
    await node.beat();
  }
  // Half a minute at a time: a node that is silent for longer than its lease is given up.
  for (let step = 0; step < (last === 'missing' ? 22 : 0); step += 1) {
    await forward({ seconds: 30 });
    for (const node of all) await node.beat();
  }
  for (const [index, node] of all.entries()) {
    const isOdd = index === nodes - 1;
    if (isOdd && last === 'failed') await node.fail('failed');
    if (isOdd && (last === 'failed' || last === 'lost' || last === 'running')) continue;
    const payload = upload(node.machineUuid, devices);
    change(payload.benchmark_results.quick_mark);
    const answer = await node.results(node.result(payload));
    assert.equal(answer.status, 200, answer.text);
    await node.complete();
  }
  if (last === 'lost') {
    await forward({ minutes: 2 });
    await forward({ minutes: 11 });
  }
  return job;
}

/** Without spaces, which the tags of a command leave. */
const tight = (text: string): string => text.replaceAll(/\s+/g, '');
const flat = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll(/\s+/g, ' ');

/** The terminal of the agent that measured this node. */
function terminal(results: QuickMarkResults): string {
  const judged = taskJudgement({
    state: 'completed',
    failed_message: null,
    warnings: [],
    judgement: nodeJudgement(results),
    device_ids: [],
  });
  return summaryText(
    { ...scriptedSummary, devices: [], matrix: null, warnings: [], judgement: judged },
    plainPaint,
  ).replaceAll(/\s+/g, ' ');
}

for (const one of RUNS)
  test(`${one.title}: terminal, API, list, page, shared page, task page and report say the same`, async () => {
    const job = await run(one);
    const shown = await getJob(app, owner(), job.id);
    const said: Judgement = judgement.parse(at(shown, 'judgement'));
    assert.deepEqual([said.verdict.bad, said.verdict.check, said.findings.map(({ rule }) => rule)], one.found);
    const line = verdictLine(said.verdict, one.devices?.[0]?.vendor === 'cpu');
    const words = said.findings.map((finding) => findingWords(finding).replaceAll(/\s+/g, ' '));

    const it = browser(app);
    await it.signIn(owner().email, owner().password);
    const read = async (path: string): Promise<string> => flat(await (await it.get(path)).text());
    const page = await read(`/jobs/${job.id}`);
    assert.ok(page.includes(line), `job page: ${line}`);
    for (const [index, text] of words.entries()) {
      assert.ok(page.includes(text), `job page: ${text}`);
      const act = (said.findings[index]?.action ?? '').replaceAll('`', '');
      assert.ok(tight(page).includes(tight(act)), `job page: ${act}`);
    }

    const made = await (await it.post(`/jobs/${job.id}/share`, { days: '7' })).text();
    const path = /\/s\/[\w.-]+\/jobs\/\d+/.exec(made)?.[0] ?? assert.fail(made);
    const shared = flat(await (await browser(app).get(path)).text());
    assert.ok(shared.includes(line), `shared page: ${line}`);

    // A report is made once the job has ended.
    const isOver = at(shown, 'ended_at') !== null;
    const data = await reportData(app.context, { kind: 'job', id: job.id });
    assert.ok(data);
    const pdf = flat(pdfText(await renderPdf(unpackReport(data))));
    const subject = subjectLine(said.verdict, one.devices?.[0]?.vendor === 'cpu');
    assert.ok(!isOver || pdf.includes(subject), `report: ${subject}`);
    for (const text of words) assert.ok(pdf.includes(text), `report: ${text}`);

    const list = await call(app, 'GET', '/api/gpu-mark/v1/jobs', { headers: owner().authorization });
    assert.deepEqual(at(list.body, 'results', 0, 'verdict'), isOver ? said.verdict : null);

    const [task] = at(shown, 'tasks') as unknown as { id: string }[];
    const ofTask = at(shown, 'tasks', 0, 'judgement');
    if (task !== undefined && ofTask !== null) {
      const own = judgement.parse(ofTask);
      const taskPage = await read(`/tasks/${task.id}`);
      for (const finding of own.findings)
        assert.ok(
          taskPage.includes(findingWords(finding).replaceAll(/\s+/g, ' ')),
          `task page: ${findingWords(finding)}`,
        );
      const results = quickMarkResults.safeParse(
        at(shown, 'tasks', 0, 'benchmark_results', 'quick_mark', 'results'),
      ).data;
      if (results !== undefined) {
        const text = terminal(results);
        assert.ok(text.startsWith('VERDICT'), text.slice(0, 200));
        assert.ok(text.includes(verdictLine(nodeJudgement(results).verdict)), text.slice(0, 200));
        for (const finding of nodeJudgement(results).findings)
          assert.ok(text.includes(findingWords(finding).slice(0, 60)), text);
      }
    }
  });
