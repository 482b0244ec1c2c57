import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { container, startCoordinatorImage } from '../containers/image-tools.ts';
import { jobClient } from '../e2e/job-client.ts';
import { whyWithout } from '../support/debian-packages.ts';
import type { Lifetime } from '../support/lifetime.ts';
import { runCases } from '../support/run-cases.ts';
import { root } from '../support/source-files.ts';

/**
 * Both images for arm64, built here and run by a real container runtime on an emulated processor: they start, deliver a
 * result and render its report. An emulator says nothing about speed, so the figures are not used.
 */
const why = await whyWithout(
  ['buildah', 'podman', 'runc', 'aarch64-linux-gnu-g++', 'qemu-aarch64-static'],
  'podman buildah runc binutils g++-aarch64-linux-gnu qemu-user-static',
);
const MOST_MB = { agent: 55, coordinator: 120 };
const BINFMT = '/proc/sys/fs/binfmt_misc';
const NAME = 'gpumark-aarch64';

const images = new Map<string, string>();
const admin = { email: 'admin@example.com', password: 'a long password 1' };

async function built(): Promise<void> {
  const { stdout } = await execa('make', ['arm64'], { cwd: root });
  for (const line of stdout.split('\n')) {
    const [, name = '', image = '', mb = ''] = /^sha256:\w+ {2}(gpumark-(?:\w+)):(\S+) {2}([\d.]+) MB/.exec(line) ?? [];
    if (name === '') continue;
    const most = MOST_MB[name === 'gpumark-agent' ? 'agent' : 'coordinator'];
    process.stdout.write(`      ${name} for arm64: ${mb} MB compressed\n`);
    assert.ok(Number(mb) > 1 && Number(mb) <= most, `${name}: ${mb} MB, at most ${most}`);
    images.set(name, `localhost/${name}:${image}`);
  }
  assert.deepEqual([...images.keys()], ['gpumark-agent', 'gpumark-coordinator']);
}

async function job(t: Lifetime): Promise<void> {
  emulated(t);
  const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };
  const image = images.get('gpumark-coordinator') ?? '';
  const { url } = await startCoordinatorImage(t, image, `gpumark-arm64-${process.pid}`, settings);
  const client = await jobClient(url, admin);
  const { token, id } = await client.createJob({ benchmarks: ['quick_mark'], node_count: 1 });
  const agent = await container([images.get('gpumark-agent') ?? '', token]);
  // If the emulator is so slow that the runner reports nothing for minutes, the agent ends it (exit 6) and delivers what it has measured.
  assert.ok(agent.code === 0 || agent.code === 3 || isStopped(agent), `exit ${agent.code}: ${agent.stderr}`);
  const ended = await client.waitForReport(id);
  const results = ended.tasks[0]?.benchmark_results['quick_mark']?.results as
    | { test_results: { fp32_tflops?: number }[] }
    | undefined;
  const fp32 = results?.test_results[0]?.fp32_tflops ?? 0;
  assert.ok(fp32 > 0, 'what was measured was delivered');
  process.stdout.write(`      exit ${agent.code}, job ${ended.state}, fp32 ${fp32} TFLOP/s on an emulator\n`);
  assert.equal((await client.download(ended.pdf_report_url ?? '')).subarray(0, 5).toString(), '%PDF-');
}

const isStopped = ({ code, stderr }: { code: number; stderr: string }) =>
  code === 6 && /the runner has reported nothing for/.test(stderr);

/** While the case runs, programs for the other processor start through the emulator; with flag F in containers too. */
function emulated(t: Lifetime): void {
  if (existsSync(join(BINFMT, NAME))) return;
  // ELF, 64 bit, little-endian, executable or shared object, machine 183 (AArch64).
  const magic = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`;
  const mask = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`;
  writeFileSync(join(BINFMT, 'register'), `:${NAME}:M::${magic}:${mask}:/usr/bin/qemu-aarch64-static:F`);
  t.after(async () => writeFileSync(join(BINFMT, NAME), '-1'));
}

/** On other systems, systemd mounts it. */
async function whyNoEmulator(): Promise<string | null> {
  if (existsSync(join(BINFMT, 'register'))) return null;
  const { exitCode, stderr } = await execa('mount', ['-t', 'binfmt_misc', 'binfmt_misc', BINFMT], { reject: false });
  return exitCode === 0 ? null : `programs of another processor cannot be registered here: ${stderr}`;
}

await runCases(
  'images-arm64',
  [
    { title: 'both images are built for arm64 on this machine, within their size limits', run: built },
    {
      title:
        'on an emulator the coordinator starts with its own Postgres, and the agent delivers what it has time to measure',
      run: job,
    },
  ],
  why || (await whyNoEmulator()),
);
