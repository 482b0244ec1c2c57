import assert from 'node:assert/strict';
import { jobClient } from './job-client.ts';
import { ProtocolNode } from './protocol-node.ts';

/** A job of one node from its creation to its report, by calls alone. */
export async function runWholeJob(baseUrl: string, user: { email: string; password: string }) {
  const customer = await jobClient(baseUrl, user);
  const { id, token } = await customer.createJob({ benchmarks: ['quick_mark'], node_count: 1 });
  const node = new ProtocolNode(baseUrl, token);
  assert.equal((await node.register()).status, 200);
  assert.equal((await node.results(node.quickMark(id, new Date()))).status, 200);
  assert.equal((await node.complete()).status, 200);
  const job = await customer.waitForReport(id);
  return { id, job, pdf: await customer.download(job.pdf_report_url ?? '') };
}
