import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { jobClient } from '../e2e/job-client.ts';
import { makeDataDir, removeDataDir } from '../support/data-dir.ts';
import { root } from '../support/source-files.ts';
import { whyWithout } from '../support/debian-packages.ts';
import { buildImages, container, run, startCoordinatorImage } from './image-tools.ts';

const skip =
  (await whyWithout(
    ['buildah', 'podman', 'runc', 'skopeo', 'ssh-keygen', 'gpg', 'dpkg-deb', 'strip'],
    'podman buildah runc binutils skopeo openssh-client gnupg',
  )) || (existsSync(join(root, 'dist/gpumark-agent')) ? false : 'needs dist/gpumark-agent: make agent');

/** Bounds of the product, compressed. */
const MOST_MB = { agent: 55, coordinator: 120 };

// Two builds and a whole run; the runner's own limit is for single tests.
describe('container images', { skip, timeout: 900_000 }, () => {
  let out: string;
  let built: Awaited<ReturnType<typeof buildImages>>;
  const image = (name: string) => built.get(name)?.image ?? '';
  before(async () => {
    out = await makeDataDir();
    built = await buildImages(['agent', 'coordinator'], join(out, 'first'));
  });

  after(() => removeDataDir(out));

  test('both are built within their bounds, labelled, and say what they are made of', async (t) => {
    for (const [name, most] of Object.entries(MOST_MB)) {
      const { digest, mb } = built.get(name) ?? { digest: '', mb: Number.NaN };
      t.diagnostic(`gpumark-${name}: ${mb} MB compressed, ${digest}`);
      assert.ok(mb > 1 && mb <= most, `${name}: ${mb} MB, at most ${most}`);
      const { stdout } = await run('podman', ['image', 'inspect', '--format', '{{json .Labels}}', image(name)]);
      const labels = JSON.parse(stdout) as Record<string, string>;
      assert.equal(labels['org.opencontainers.image.licenses'], 'Apache-2.0');
      const { stdout: head } = await run('git', ['rev-parse', 'HEAD'], { cwd: root });
      assert.equal(labels['org.opencontainers.image.revision']?.replace('+', ''), head.trim());
      const bill = JSON.parse(readFileSync(join(out, 'first', `gpumark-${name}.cdx.json`), 'utf8')) as {
        specVersion: string;
        components: { name: string; purl?: string; hashes?: unknown[] }[];
      };
      assert.match(bill.specVersion, /^1\.\d$/);
      const names = new Set(bill.components.map((component) => component.name));
      for (const expected of ['libc6', 'zod', `node-linux-${process.arch}`]) assert.ok(names.has(expected), expected);
      assert.ok(!names.has(name === 'agent' ? 'postgres' : 'esbuild'), 'nothing is listed that is not in it');
    }
  });

  test('a second build of the same inputs has the same digest', async () => {
    const again = await buildImages(['agent'], join(out, 'second'));
    assert.equal(again.get('agent')?.digest, built.get('agent')?.digest);
  });

  test('inside, the process is an ordinary user without capabilities, and the root is read-only', async () => {
    // Node, which the other image has, reads what the kernel says of its own process.
    const program = `
      const fs = require('node:fs');
      const status = Object.fromEntries(fs.readFileSync('/proc/self/status', 'utf8').split('\\n').map((l) => l.split(':\\t')));
      let write = 'written';
      try { fs.writeFileSync('/usr/probe', 'x'); } catch (error) { write = error.code; }
      console.log(JSON.stringify({ uid: process.getuid(), caps: status.CapEff, noNew: status.NoNewPrivs, seccomp: status.Seccomp, write }));`;
    const { stdout, stderr } = await container([
      '--entrypoint=/usr/local/bin/node',
      image('coordinator'),
      '-e',
      program,
    ]);
    assert.ok(stdout !== '', stderr);
    assert.deepEqual(JSON.parse(stdout), {
      uid: 65532,
      caps: '0000000000000000',
      noNew: '1',
      seccomp: '2',
      write: 'EROFS',
    });
  });

  test('a release has all of it, with checksums that hold and a signature of the key that was named', async () => {
    const release = join(out, 'release');
    const key = join(out, 'key');
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'ops@example.com', '-f', key]);
    const script = join(root, 'containers/release/make-release.sh');
    const settings = { IMAGES_OUT: join(out, 'first'), RELEASE_OUT: release };
    await assert.rejects(
      run(script, [], { env: { ...process.env, ...settings, RELEASE_KEY: '' } }),
      /RELEASE_KEY is not set/,
    );
    await run(script, [], { env: { ...process.env, ...settings, RELEASE_KEY: key } });
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release });
    const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8');
    for (const part of [
      /gpumark-agent-[\d.]+-linux-\w+$/m,
      /agent.*\.oci\.tar$/m,
      /coordinator.*\.oci\.tar$/m,
      /cdx\.json$/m,
      /UPGRADING\.md$/m,
    ])
      assert.match(sums, part);
    await writeFile(join(out, 'signers'), `ops@example.com ${readFileSync(`${key}.pub`, 'utf8')}`);
    const verify = `ssh-keygen -Y verify -f ${out}/signers -I ops@example.com -n gpumark -s ${release}/SHA256SUMS.sig`;
    await run('bash', ['-c', `${verify} < ${release}/SHA256SUMS`]);
    await assert.rejects(run('bash', ['-c', `echo changed | ${verify}`]));
    // What is loaded from it is the image that was built.
    const archive = sums.match(/\S*agent\S*\.oci\.tar/)?.[0] ?? '';
    const { stdout } = await run('skopeo', [
      'inspect',
      '--format',
      '{{.Digest}}',
      `oci-archive:${join(release, archive)}`,
    ]);
    assert.equal(stdout.trim(), built.get('agent')?.digest);
    await rm(release, { recursive: true });

    const env = { ...process.env, ...settings, RELEASE_KEY: 'release@example.com', GNUPGHOME: join(out, 'gnupg') };
    await mkdir(env.GNUPGHOME, { mode: 0o700 });
    const maker = ['--batch', '--passphrase', '', '--quick-gen-key', env.RELEASE_KEY, 'ed25519', 'sign', '1d'];
    await run('gpg', maker, { env });
    await run(script, [], { env });
    const signed = ['--verify', join(release, 'SHA256SUMS.asc'), join(release, 'SHA256SUMS')];
    await run('gpg', signed, { env });
    await writeFile(join(release, 'SHA256SUMS'), 'changed');
    await assert.rejects(run('gpg', signed, { env }), /BAD signature/);
    await run('gpgconf', ['--kill', 'gpg-agent'], { env });
    await rm(release, { recursive: true });
  });

  test('options pass through, and exit codes come back', async () => {
    const version = await container([image('agent'), '--version']);
    assert.match(version.stdout, /^gpumark-agent \d/);
    assert.equal((await container([image('agent'), 'garbage'])).code, 2);
  });

  test('without a place where programs may run the agent says so and ends as for wrong usage', async () => {
    const mount = '--mount=type=tmpfs,destination=/var/lib/gpumark,noexec,chown=true';
    const { code, stderr } = await container([mount, image('agent'), '--list']);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /does not allow programs to run \(noexec\)/);
    assert.match(stderr, /mount a volume on \/var\/lib\/gpumark, or an emptyDir or tmpfs without noexec/);
  });

  // One run for both images: measuring takes both cores for half a minute.
  test('the coordinator on a Postgres of its own, the agent by the token as its only argument: delivered, rendered, a clean stop', async (t) => {
    const settings = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a long password 1' };
    const name = `gpumark-test-${process.pid}`;
    const { url, stop } = await startCoordinatorImage(t, image('coordinator'), name, settings);
    assert.equal((await fetch(`${url}/docs`)).status, 200);
    assert.equal((await fetch(`${url}/sign-in`)).status, 200);
    const admin = await jobClient(url, { email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD });
    const { token, id } = await admin.createJob({ benchmarks: ['quick_mark'], node_count: 1 });
    const agent = await container([image('agent'), token]);
    assert.ok(agent.code === 0 || agent.code === 3, `exit ${agent.code}: ${agent.stderr}`);
    const job = await admin.waitForReport(id);
    assert.match(job.state, /^completed/);
    assert.ok(job.tasks[0]?.benchmark_results['quick_mark'], 'the result was delivered');
    assert.equal((await admin.download(job.pdf_report_url ?? '')).subarray(0, 5).toString(), '%PDF-');
    assert.equal(await stop(), 0, 'a stop is a clean end');
  });
});
