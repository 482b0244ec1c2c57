import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { createUser, startCoordinator, type CoordinatorProcess } from './coordinator-process.ts';
import { summaryLines, summarise } from './demo-summary.ts';
import { jobClient } from './job-client.ts';

/**
 * The main job for real: a coordinator on embedded Postgres, a job through the public API, the packaged agent on this
 * machine with that job's token, the results read back, the PDF fetched by its signed URL. Exit 0 only when the job
 * completed and the report is a PDF.
 */
const root = join(import.meta.dirname, '..', '..');
const demoDir = join(root, 'var', 'demo');
const place = { root, dataDir: join(demoDir, 'data') };
const REPORT_DEADLINE_MS = 30_000;
const AGENT_DEADLINE_MS = 600_000;
/** The agent's exit code where there are cards and none can be measured. */
const NO_USABLE_DEVICE = 5;

const startedAt = performance.now();
await mkdir(demoDir, { recursive: true });
await Promise.all(['summary.json', 'report.pdf'].map((name) => rm(join(demoDir, name), { force: true })));

say('starting the coordinator on embedded Postgres');
const coordinator = await startCoordinator(place);
// The agent is in the same terminal and gets the signal too; the demo only has to outlive it and clean up.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => say(`${signal}: stopping`));
try {
  process.exitCode = await demonstrate(coordinator);
} finally {
  await coordinator.stop();
}

async function demonstrate({ baseUrl }: CoordinatorProcess): Promise<number> {
  const user = { email: `demo-${Date.now()}@example.com`, password: randomBytes(18).toString('base64url') };
  await createUser(place, user);
  const client = await jobClient(baseUrl, user);
  let { job, agent } = await measure(client, []);
  if (agent.exitCode === NO_USABLE_DEVICE) {
    say('no GPU of this machine can be measured; measuring its processor on purpose');
    ({ job, agent } = await measure(client, ['--device', 'cpu']));
  }
  // A job that does not end is shown as it stands.
  const finished = await client.waitForReport(job.id, REPORT_DEADLINE_MS).catch(() => client.getJob(job.id));
  const report = finished.pdf_report_url === null ? null : await client.download(finished.pdf_report_url);
  if (report !== null) await writeFile(join(demoDir, 'report.pdf'), report);
  const summary = summarise(finished, {
    baseUrl,
    reportPdf: report === null ? null : 'var/demo/report.pdf',
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
  });
  await writeFile(join(demoDir, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
  process.stdout.write(`${[...summaryLines(summary), ...portalLines(job.id, user)].join('\n')}\n`);
  const measured = finished.state === 'completed' || finished.state === 'completed_with_warnings';
  const isPdf = report?.subarray(0, 5).toString() === '%PDF-';
  return measured && isPdf && (agent.exitCode === 0 || agent.exitCode === 3) ? 0 : 1;
}

/** The coordinator of the demo ends with it; its data stay. */
function portalLines(jobId: string, user: { email: string; password: string }): string[] {
  return [
    '',
    'To see this job in the portal:',
    '  DATA_DIR=var/demo/data make serve',
    `  http://127.0.0.1:8080/jobs/${jobId}`,
    `  sign in as ${user.email} with the password ${user.password}`,
  ];
}

async function measure(client: Awaited<ReturnType<typeof jobClient>>, options: string[]) {
  const job = await client.createJob({ benchmarks: ['quick_mark'], tags: ['demo'], description: 'make demo' });
  say(`job ${job.id} created through the API; running the packaged agent on it`);
  const agent = await execa(join(root, 'dist', 'gpumark-agent'), options, {
    env: { GPUMARK_API_KEY: job.token, GPUMARK_STATE_DIR: join(demoDir, 'agent') },
    stdio: ['ignore', 'inherit', 'inherit'],
    reject: false,
    timeout: AGENT_DEADLINE_MS,
  });
  return { job, agent };
}

function say(line: string): void {
  process.stderr.write(`demo: ${line}\n`);
}
