import { parentPort, workerData } from 'node:worker_threads';
import type { Report } from './report-model.ts';
import { renderPdf } from './render-pdf.ts';

/** Thread body: the report comes as workerData, the PDF goes back as bytes. A throw ends the thread and is reported. */
const pdf = await renderPdf(workerData as Report);
// A copy: the buffer may be a part of node's pool. A thread's port has no origin to name.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(new Uint8Array(pdf));
