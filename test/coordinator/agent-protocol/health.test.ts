import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthRules } from '../../../coordinator/figures/health-rules.ts';
import { judgeOldTasks } from '../../../coordinator/lifecycle/known-judgement.ts';
import { at, getJob, Node } from '../jobs/node.ts';
import { browser } from '../portal/browser-session.ts';
import { flat, ill, jobOf, pages, remaps } from './ill-jobs.ts';
import { app, fresh, owner } from './protocol-app.ts';

const SENTENCE =
  'GPU 1: a row of memory could not be remapped: no spare row is left in its bank (health rule row_remap_failed, critical). Do: return the part.';

test('a critical finding fails the task whatever its agent says: the figures stay, and page, API and report say why and what to do', async () => {
  const run = await jobOf({ row_remaps: { ...remaps, failure: true } });
  assert.deepEqual([run.state, run.task, run.failed], ['failed', 'failed', SENTENCE]);
  assert.deepEqual([run.bf16, run.rules], [715, [[], ['row_remap_failed']]]);
  const { job, task, pdf } = await pages(run.job.id, run.node.taskId);
  const problem = /bad: GPU 1 ?: a row of memory could not be remapped: .* Do: Return the part\. Rule row_remap_failed/;
  assert.match(job, problem);
  assert.match(task, problem);
  assert.match(pdf, /✗ critical/);
  assert.match(pdf, /return the part/);
  // It votes for nobody's expectation.
  const votes = await app.platform.sql`select 1 from scoreboard_entry where task_id = ${run.node.taskId}`;
  assert.equal(votes.length, 0);
});

test('a warning lets the job end completed_with_warnings, and is shown on page, API and report', async () => {
  const run = await jobOf({}, { pcie_replays_during_run: 100_000 });
  assert.deepEqual([run.state, run.task, run.failed], ['completed_with_warnings', 'completed', null]);
  assert.deepEqual(run.rules, [[], ['pcie_replays_during_run']]);
  const { job, task, pdf } = await pages(run.job.id, run.node.taskId);
  assert.match(job, /PCIe replays during the run: 100,000, limit 80.* Do: Check the cable, the seat and the slot\./);
  assert.match(task, /PCIe replays during the run: 100,000, limit 80/);
  assert.match(pdf, /PCIe replays during the run: 100,000, limit 80/);
});

test('a remark leaves the job completed, and is shown on page and report', async () => {
  const run = await jobOf({ row_remaps: { ...remaps, uncorrectable: 3 } });
  assert.deepEqual([run.state, run.rules], ['completed', [[], ['rows_remapped']]]);
  const { task, pdf } = await pages(run.job.id, run.node.taskId);
  assert.match(task, /rows remapped after uncorrectable errors: 3/);
  assert.match(pdf, /rows remapped after uncorrectable errors: 3/);
  assert.match(task, /Not measured or read: /);
});

test('a node that hides a finding or invents one changes nothing: its facts are judged here', async () => {
  const invented = {
    rule: 'xid_79',
    severity: 'critical',
    evidence: 'invented',
    action: 'return',
    source: 'none',
  } as const;
  const hidden = await jobOf(
    { row_remaps: { ...remaps, failure: true } },
    {},
    ({ benchmark_results: { quick_mark } }) => {
      for (const card of quick_mark.test_results) card.health = [];
      quick_mark.node_health = [];
    },
  );
  assert.deepEqual([hidden.state, hidden.rules], ['failed', [[], ['row_remap_failed']]]);
  const liar = await jobOf({}, {}, ({ benchmark_results: { quick_mark } }) => {
    for (const card of quick_mark.test_results) card.health = [invented];
    quick_mark.node_health = [invented];
    quick_mark.node_health_not_read = [];
  });
  assert.deepEqual([liar.state, liar.rules, liar.machine], ['completed', [[], []], []]);
  assert.ok(JSON.stringify(at(liar.results, 'node_health_not_read')).includes('does not read the machine'));
});

test('a node that lies about itself changes nothing of the others in its job', async () => {
  const job = await fresh({ node_count: 2 });
  const [honest, liar] = [new Node(app, job), new Node(app, job)];
  for (const node of [honest, liar]) await node.register();
  await honest.results(honest.result(ill(honest, {})));
  await honest.complete();
  await liar.results(liar.result(ill(liar, {}, { xid: ['79'] })));
  await liar.complete();
  const shown = await getJob(app, owner(), job.id);
  assert.deepEqual([at(shown, 'tasks', 0, 'state'), at(shown, 'tasks', 1, 'state')], ['completed', 'failed']);
  assert.equal(at(shown, 'state'), 'completed_with_warnings');
});

test('a result that was stored before there were judgements is judged in the background, once, and shown like others', async () => {
  const run = await jobOf({ row_remaps: { ...remaps, pending: true } });
  await app.platform.sql`
    update benchmark_result set results = jsonb_set(results, '{test_results}',
      (select jsonb_agg(d - 'health' - 'health_not_read') from jsonb_array_elements(results -> 'test_results') d))
      - 'node_health' - 'node_health_not_read'
    where task_id = ${run.node.taskId}`;
  await app.platform.sql`update task set warnings = '{}', judgement = null where id = ${run.node.taskId}`;
  const ofTask = async () => at(await getJob(app, owner(), run.job.id), 'tasks', 0, 'judgement');
  assert.equal(await ofTask(), null);
  assert.ok((await judgeOldTasks(app.context)) >= 1);
  assert.equal(await judgeOldTasks(app.context), 0);
  assert.equal(at(await ofTask(), 'verdict', 'check'), 1);
  const { task, pdf } = await pages(run.job.id, run.node.taskId);
  assert.match(task, /a row of memory waits to be remapped/);
  assert.match(pdf, /a row of memory waits to be remapped/);
});

test('of a large result, whose details are in a file of their own, the findings stay and still fail the task', async () => {
  const run = await jobOf({ row_remaps: { ...remaps, failure: true } }, {}, ({ benchmark_results: { quick_mark } }) => {
    for (const card of quick_mark.test_results) card.details['padding'] = 'x'.repeat(40_000);
    quick_mark.node_signals = [{ signal: 'cpu_governor', value: 'powersave' }];
  });
  assert.deepEqual(
    [run.task, run.rules, run.machine],
    ['failed', [[], ['row_remap_failed']], ['cpu_governor_saves_power']],
  );
  assert.equal(at(run.results, 'node_signals'), undefined);
  const { task } = await pages(run.job.id, run.node.taskId);
  assert.match(task, /could not be remapped/);
});

test('the page of health rules is public and has every rule of the table with its source, as its JSON has', async () => {
  const it = browser(app);
  const read = async (query: string): Promise<string> => flat(await (await it.get(`/health-rules${query}`)).text());
  const page = (await Promise.all([1, 2, 3, 4, 5].map((number) => read(`?page=${number}`)))).join(' ');
  const { results } = (await (await it.get('/health-rules.json')).json()) as {
    results: { rule: string; document: string }[];
  };
  assert.deepEqual(
    results.map(({ rule, document }) => [rule, document]),
    healthRules.map(({ id, source }) => [id, source.document]),
  );
  for (const { id } of healthRules) assert.ok(page.includes(` ${id} `), id);
  const one = await read('?rule=row_remap_failed');
  assert.match(one, / row_remap_failed .* 1 to 1 of 1/);
});
