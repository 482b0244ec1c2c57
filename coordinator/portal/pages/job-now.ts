import { html, type Html } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';

/** From a table that is still empty to the page that says what its job waits for. */
export const jobNow = ({ base }: Pick<Visit, 'base'>, jobId: string): Html =>
  html`<a href="${base}/jobs/${jobId}">What the job does now</a>`;

/** From a table that fills once machines have measured: for its owner to what makes them. */
export const startLine = ({ shared, base }: Pick<Visit, 'shared' | 'base'>, jobId: string, on: 'it' | 'them'): Html =>
  shared === null ? html`<a href="/jobs/${jobId}/start">The line to run on ${on}</a>` : jobNow({ base }, jobId);
