import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeSignal } from '../../../coordinator/contract/health.ts';
import { quickMarkMetrics } from '../../../coordinator/contract/quick-mark.ts';
import { healthRules } from '../../../coordinator/figures/health-rules.ts';
import { selectNodeResults, selectNodes } from '../../../coordinator/lifecycle/queries/summary.ts';
import { unlikeNodes } from '../../../coordinator/lifecycle/summary/job-findings.ts';
import { reportData } from '../../../coordinator/jobs/report-data.ts';
import { renderPdf } from '../../../coordinator/reports/render-pdf.ts';
import { unpackReport } from '../../../coordinator/reports/unpack-report.ts';
import { at, evidenceOf, getJob, Node, textAt } from '../jobs/node.ts';
import { browser } from '../portal/browser-session.ts';
import { pdfText } from '../reports/pdf-text.ts';
import { flat, ill, jobOf, pages, remaps } from './ill-jobs.ts';
import { app, fresh, owner } from './protocol-app.ts';

/** Facts of the second of two H100, signals of the machine, the rule that judges them, and how the task ends. */
const byModel: [words: string, device: object, signals: NodeSignal[], rule: string, ending: [string, string]][] = [
  ['ECC off', { ecc_mode: 'disabled' }, [], 'ecc_off', ['completed_with_warnings', 'completed']],
  ['a lowered power cap', { power_cap_watts: 400 }, [], 'power_cap_lowered', ['completed_with_warnings', 'completed']],
  ['half of the NVLinks', { nvlink_active: 9 }, [], 'nvlinks_inactive', ['failed', 'failed']],
  [
    'a fabric manager that is down',
    {},
    [{ signal: 'nvidia_fabricmanager', value: 'not running' }],
    'fabric_manager_down',
    ['completed_with_warnings', 'completed'],
  ],
];
for (const [words, device, node_signals, rule, ending] of byModel)
  test(`${words} of a real model is found by the coordinator itself, and is on page, API and report`, async () => {
    const healthy = { ecc_mode: 'enabled', power_cap_watts: 700, power_cap_default_watts: 700, nvlink_active: 18 };
    const run = await jobOf({}, {}, ({ benchmark_results: { quick_mark } }) => {
      quick_mark.node_signals = node_signals;
      for (const [place, card] of quick_mark.test_results.entries()) {
        card.gpu_model = 'NVIDIA H100 80GB HBM3';
        card.details['device'] = { backend: 'cuda', ...healthy, ...(place === 1 ? device : {}) };
      }
    });
    assert.deepEqual([run.state, run.task], ending);
    const ofMachine = node_signals.length > 0;
    assert.deepEqual([run.rules, run.machine], [[[], ofMachine ? [] : [rule]], ofMachine ? [rule] : []]);
    const { task, pdf } = await pages(run.job.id, run.node.taskId);
    const evidence = healthRules.find(({ id }) => id === rule)?.says.slice(0, 20) ?? assert.fail(rule);
    assert.ok(task.includes(evidence), task);
    assert.ok(pdf.includes(evidence), pdf);
  });

test('a node on which nothing could be measured still tells what its machine says: on page, API and report, and the task fails', async () => {
  const job = await fresh({ node_count: 1 });
  const node = new Node(app, job);
  await node.register();
  await node.beat();
  const payload = ill(node, { row_remaps: { ...remaps, pending: true } });
  const { quick_mark } = payload.benchmark_results;
  for (const card of quick_mark.test_results) {
    const absent = Object.fromEntries(quickMarkMetrics.map((metric) => [metric, null]));
    const unavailable = Object.fromEntries(quickMarkMetrics.map((metric) => [metric, 'other programs hold the card']));
    Object.assign(card, absent, { unavailable });
  }
  quick_mark.node_signals = [{ signal: 'kernel_xid', of: '0000:c3:00.0', value: 79, during_run: 0, seconds_ago: 60 }];
  const answer = await node.results(node.result(payload, { state: 'failed', error_message: 'every card is busy' }));
  assert.equal(answer.status, 200, answer.text);
  await node.fail('failed', 'every card is busy');
  const shown = await getJob(app, owner(), job.id);
  assert.deepEqual([at(shown, 'state'), at(shown, 'tasks', 0, 'failed_message')], ['failed', 'every card is busy']);
  const results = at(shown, 'tasks', 0, 'benchmark_results', 'quick_mark', 'results');
  assert.ok(JSON.stringify(at(results, 'node_health')).includes('xid_79_before_run'));
  assert.ok(JSON.stringify(at(results, 'test_results', 1, 'health')).includes('row_remap_pending'));
  const { task, pdf } = await pages(job.id, node.taskId);
  for (const text of [evidenceOf(shown).join(' '), task, pdf]) {
    assert.match(text, /the kernel log has Xid 79/);
    assert.match(text, /a row of memory waits to be remapped/);
  }
});

/** A job of nodes whose cards have these versions, and what is not alike in it. */
async function jobOfVersions(...versions: { driver_version: string; vbios: string }[]) {
  const job = await fresh({ node_count: versions.length });
  for (const version of versions) {
    const node = new Node(app, job);
    await node.register();
    const payload = ill(node, {});
    for (const card of payload.benchmark_results.quick_mark.test_results)
      card.details = { ...card.details, device: { backend: 'cuda', ...version } };
    await node.results(node.result(payload));
    await node.complete();
  }
  const { sql } = app.platform;
  const unlike = unlikeNodes(await selectNodes(sql, job.id), await selectNodeResults(sql, job.id));
  const done = await getJob(app, owner(), job.id);
  return { job, done, state: at(done, 'state'), evidence: evidenceOf(done).join('\n'), unlike };
}

test('nodes of one job with different drivers are a warning of the job', async () => {
  const [one, other] = ['580.65.06', '575.57.08'].map((driver_version) => ({ driver_version, vbios: '96.00' }));
  const { state, evidence, unlike } = await jobOfVersions(one ?? assert.fail(), other ?? assert.fail());
  assert.equal(state, 'completed_with_warnings');
  assert.match(evidence, /nodes with cards of one model differ in their driver: .*575\.57\.08 \(host-machine-\d+\)/);
  assert.deepEqual(
    unlike.map(({ rule }) => rule),
    ['nodes_differ_in_driver'],
  );
});

test('nodes of one job with different VBIOS are a remark of the job in API, page and report, and leave it completed', async () => {
  const driver_version = '580.65.06';
  const { job, done, state, unlike } = await jobOfVersions(
    { driver_version, vbios: '96.00.99.00.01' },
    { driver_version, vbios: '96.00.A5.00.1A' },
  );
  assert.equal(state, 'completed');
  assert.deepEqual(
    unlike.map(({ rule, severity }) => [rule, severity]),
    [['nodes_differ_in_vbios', 'info']],
  );
  const words = /differ in their VBIOS: 96\.00\.99\.00\.01 \(host-machine-\d+\), 96\.00\.A5/;
  assert.match(unlike[0]?.evidence ?? '', words);
  assert.match(textAt(done, 'judgement', 'remarks', 0, 'evidence'), words);
  const it = browser(app);
  await it.signIn(owner().email, owner().password);
  assert.match(flat(await (await it.get(`/jobs/${job.id}`)).text()), words);
  const report = await reportData(app.context, { kind: 'job', id: job.id });
  assert.match(flat(pdfText(await renderPdf(unpackReport(report)))), words);
});
