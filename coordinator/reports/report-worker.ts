import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { renderPdf } from './render-pdf.ts';
import { unpackReport, type PackedReport } from './unpack-report.ts';

/** Thread body: reports come as messages, one at a time, each PDF goes back as bytes. A throw ends the thread and is reported. */
// Linux has a priority per thread, and pid 0 is the calling one: requests and nodes that wait for an answer come first.
setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
parentPort?.on('message', (report: PackedReport) => void render(report));

async function render(report: PackedReport): Promise<void> {
  const pdf = await renderPdf(unpackReport(report));
  // A copy, since the buffer can be part of node's pool. A thread's port has no origin to name.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(new Uint8Array(pdf));
}
