import { request } from 'undici';
import type { CreatedJob, CreateJobRequest } from '../../coordinator/contract/create-job.ts';
import type { JobDetail } from '../../coordinator/contract/job.ts';
import { until } from '../support/until.ts';

const POLL_MS = 200;
const RENEW_MS = 30 * 60_000;
const ended = new Set(['completed', 'completed_with_warnings', 'failed', 'aborted']);

/** What a customer's program does with the API: sign in, create a job, wait for its report, fetch it. */
export async function jobClient(baseUrl: string, user: { email: string; password: string }) {
  let tokens = await signIn('/api/user/login', user);
  let renewAt = performance.now() + RENEW_MS;

  async function signIn(path: string, body: unknown): Promise<{ id_token: string; refresh_token: string }> {
    return ((await call('POST', path, body)) as { data: { id_token: string; refresh_token: string } }).data;
  }

  /** Jobs of a night outlive the hour of a login. */
  async function bearer(): Promise<string> {
    if (performance.now() > renewAt) {
      renewAt = performance.now() + RENEW_MS;
      tokens = await signIn('/api/user/refresh', { refresh_token: tokens.refresh_token });
    }
    return tokens.id_token;
  }

  async function call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<unknown> {
    const answer = await request(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text) as unknown;
  }

  const getJob = async (id: string): Promise<JobDetail> =>
    (await call('GET', `/api/gpu-mark/v1/jobs/${id}`, undefined, await bearer())) as JobDetail;

  return {
    getJob,
    createJob: async (job: Partial<CreateJobRequest>): Promise<CreatedJob> =>
      (await call('POST', '/api/gpu-mark/v1/jobs', job, await bearer())) as CreatedJob,
    /** Polls until the job has ended and its report is there. */
    waitForReport: (id: string, hangMs?: number): Promise<JobDetail> => {
      const read = async (): Promise<JobDetail | null> => {
        const job = await getJob(id);
        return ended.has(job.state) && job.pdf_report_url !== null ? job : null;
      };
      return until('the end of the job and its report', read, POLL_MS, hangMs);
    },
    /** A signed URL is fetched without a credential. */
    download: async (url: string): Promise<Buffer> => {
      const answer = await request(url);
      if (answer.statusCode !== 200) throw new Error(`GET ${url} answered ${answer.statusCode}`);
      return Buffer.from(await answer.body.arrayBuffer());
    },
  };
}
