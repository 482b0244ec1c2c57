import { html, type Html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';

/** Link from a table that is still empty to the job's page, which says what the job is waiting for. */
export const jobNow = ({ base }: Pick<Visit, 'base'>, jobId: string): Html =>
  html`<a href="${base}/jobs/${jobId}">What the job does now</a>`;

/** Link from a table that fills once machines have measured: to the start command or, if shared, to the job's page. */
export const startLine = ({ shared, base }: Pick<Visit, 'shared' | 'base'>, jobId: string, on: 'it' | 'them'): Html =>
  shared === null ? html`<a href="/jobs/${jobId}/start">The line to run on ${on}</a>` : jobNow({ base }, jobId);
