import assert from 'node:assert/strict';
import type { UploadPayload } from '../../../coordinator/contract/agent-protocol.ts';
import { reportData } from '../../../coordinator/jobs/report-data.ts';
import { renderPdf } from '../../../coordinator/reports/render-pdf.ts';
import { unpackReport } from '../../../coordinator/reports/unpack-report.ts';
import { at, getJob, Node } from '../jobs/node.ts';
import { upload } from '../jobs/upload.ts';
import { browser } from '../portal/browser-session.ts';
import { pdfText } from '../reports/pdf-text.ts';
import { app, fresh, owner } from './protocol-app.ts';

/** Of a card on which no row of memory was remapped. */
export const remaps = { correctable: 0, uncorrectable: 0, pending: false, failure: false };

/** What a node uploads whose second card has these facts; its agent knows nothing of health. */
export function ill(node: Node, device: object, run: object = {}): UploadPayload {
  const payload = upload(node.machineUuid, [{}, {}]);
  for (const [place, card] of payload.benchmark_results.quick_mark.test_results.entries()) {
    card.details = {
      device: { backend: 'cuda', driver_version: '580.65.06', row_remaps: remaps, ...(place === 1 ? device : {}) },
      temperature_centigrade: { xid: [], throttle: [], ...(place === 1 ? run : {}) },
    };
  }
  return payload;
}

/** A job of one node whose agent says that all is well. */
export async function jobOf(
  device: object,
  run: object = {},
  change: (payload: UploadPayload) => void = () => undefined,
) {
  const job = await fresh({ node_count: 1 });
  const node = new Node(app, job);
  await node.register();
  await node.beat();
  const payload = ill(node, device, run);
  change(payload);
  const answer = await node.results(node.result(payload));
  assert.equal(answer.status, 200, answer.text);
  await node.complete();
  const shown = await getJob(app, owner(), job.id);
  const results = at(shown, 'tasks', 0, 'benchmark_results', 'quick_mark', 'results');
  const rules = (of: unknown): unknown[] =>
    Array.isArray(of) ? of.map((finding: { rule: string }) => finding.rule) : [];
  return {
    job,
    node,
    state: at(shown, 'state'),
    task: at(shown, 'tasks', 0, 'state'),
    failed: at(shown, 'tasks', 0, 'failed_message'),
    bf16: at(results, 'test_results', 1, 'bf16_tflops'),
    rules: [0, 1].map((place) => rules(at(results, 'test_results', place, 'health'))),
    machine: rules(at(results, 'node_health')),
    results,
  };
}

/** Text of a page, without its marks. */
export const flat = (text: string): string => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

/** The pages of a job and its task, and the task’s report, as text. */
export async function pages(jobId: string, taskId: string): Promise<{ job: string; task: string; pdf: string }> {
  const it = browser(app);
  await it.signIn(owner().email, owner().password);
  const read = async (path: string): Promise<string> => flat(await (await it.get(path)).text());
  const report = await reportData(app.context, { kind: 'task', id: taskId });
  assert.ok(report);
  return {
    job: await read(`/jobs/${jobId}`),
    task: await read(`/tasks/${taskId}`),
    pdf: flat(pdfText(await renderPdf(unpackReport(report)))),
  };
}
