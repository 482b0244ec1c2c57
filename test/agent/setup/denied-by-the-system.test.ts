import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { runOptions } from '../../../agent/cli/options.ts';
import { startFailure } from '../../../agent/kernels/start-failure.ts';
import { ExitError } from '../../../agent/run/exit-error.ts';
import { fakeRunner } from '../support/fake-runner.ts';
import { agentTree } from '../support/agent-tree.ts';
import { fileTree } from '../support/file-tree.ts';
import { testHost } from '../support/test-host.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * Starts a program with a seccomp filter that denies AF_NETLINK sockets with this error, as containers and systemd's
 * RestrictAddressFamilies= do.
 */
const WITHOUT_NETLINK = `
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int count, char **words) {
  struct sock_filter code[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (atoi(words[1]) & SECCOMP_RET_DATA)),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  if (count < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 99;
  execvp(words[2], words + 2);
  return 98;
}
`;

function withoutNetlink(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-seccomp-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'filter.c'), WITHOUT_NETLINK);
  execFileSync('cc', ['-o', join(folder, 'filter'), join(folder, 'filter.c')]);
  return join(folder, 'filter');
}

test('under a seccomp filter without AF_NETLINK doctor says what is missing, and --net-interface is refused with the remedy', async (t) => {
  const filter = withoutNetlink(t);
  const { folder } = agentTree(t);
  const agent = (code: string, ...args: string[]) =>
    execa(filter, [code, process.execPath, '--preserve-symlinks-main', join(folder, 'agent/main.ts'), ...args], {
      reject: false,
      env: { GPUMARK_STATE_DIR: join(folder, 'state') },
    });
  // EPERM of container engines, EAFNOSUPPORT of systemd.
  for (const code of ['1', '97']) {
    const doctor = await agent(code, 'doctor', '--device', 'cpu');
    assert.equal(doctor.exitCode, 0, doctor.stdout + doctor.stderr);
    assert.match(doctor.stdout, /! links +the network interfaces cannot be listed/);
    assert.match(doctor.stdout, /Allow AF_NETLINK sockets/);
    const named = await agent(code, '--net-interface', 'lo');
    assert.equal(named.exitCode, 2, named.stderr);
    assert.match(named.stderr, /^gpumark-agent: --net-interface: the network interfaces cannot be listed/);
    assert.doesNotMatch(doctor.stderr + named.stderr, /bug of the agent|\n +at /);
    const quick = await agent(code, '--dry-run');
    assert.equal(quick.exitCode, 0, quick.stderr);
  }
});

test('an option that names an interface fails with a sentence, whatever the system answers', (t) => {
  const host = { ...testHost(t), networkInterfaces: () => assert.fail('uv_interface_addresses returned EMFILE') };
  assert.throws(
    () => runOptions(host, { device: 'auto', tier: 'quick', netInterface: 'eth0' }, undefined),
    (error: unknown) => error instanceof ExitError && error.code === 2 && /EMFILE/.test(error.message),
  );
});

/** Runs `body` in a process of a user of its own, whose own limit `prlimit` then lowers. */
async function limited(t: TestContext, limit: string, body: string): Promise<string> {
  const { folder } = testHost(t);
  chmodSync(folder, 0o755);
  const runner = fakeRunner(folder);
  copyFileSync(runner, join(folder, 'runner'));
  chmodSync(join(folder, 'runner'), 0o755);
  const script = join(folder, 'limited.ts');
  const module = (path: string): string => JSON.stringify(pathToFileURL(join(root, 'agent', path)).href);
  writeFileSync(
    script,
    `import { execFileSync } from 'node:child_process';
     import { createHash } from 'node:crypto';
     import { openSync } from 'node:fs';
     import { extractRunner } from ${module('setup/extract-runner.ts')};
     import { listDevices, listBenchmarks } from ${module('kernels/list-devices.ts')};
     import { readRunnerVersion } from ${module('kernels/runner-version.ts')};
     const path = ${JSON.stringify(join(folder, 'runner'))};
     const bytes = Buffer.from('#!/bin/sh\\nexit 0\\n');
     const sha256 = createHash('sha256').update(bytes).digest('hex');
     await extractRunner({ sha256, bytes }, [${JSON.stringify(join(folder, 'cache'))}]);
     execFileSync('prlimit', ['--pid', String(process.pid), ${JSON.stringify(limit)}]);
     ${body}
     const ways = [
       () => extractRunner({ sha256, bytes }, [${JSON.stringify(join(folder, 'cache'))}]),
       () => listDevices(path), () => listBenchmarks(path), () => readRunnerVersion(path),
     ];
     for (const way of ways) {
       const error = await way().then(() => ({ message: 'it was started' }), (reason) => reason);
       process.stdout.write(error.name + ': ' + error.message + ' -> ' + error.remedy + '\\n');
     }`,
  );
  // A user without other processes: the kernel counts those of a user together.
  const uid = process.getuid?.() === 0 ? 60_000 + (process.pid % 5_000) : undefined;
  const cache = join(folder, 'cache');
  execFileSync('mkdir', ['-m', '777', cache]);
  const { stdout, stderr } = await execa(process.execPath, ['--no-warnings', script], {
    reject: false,
    cwd: '/',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  assert.equal(stdout.trim().split('\n').length, 4, stderr);
  return stdout;
}

test('a program that cannot be started for a limit names that limit and its remedy, not the directory of the runner', async (t) => {
  const processes = await limited(t, '--nproc=1', '');
  for (const line of processes.trim().split('\n'))
    assert.match(
      line,
      /\(EAGAIN\): the limit of processes is reached: RLIMIT_NPROC \S+, cgroup pids\.max \S+ -> .*ulimit -u/,
    );
  const files = await limited(t, '--nofile=64', `try { for (;;) openSync('/dev/null'); } catch {}`);
  for (const line of files.trim().split('\n'))
    assert.match(line, /\(EMFILE\): the limit of open files is reached: RLIMIT_NOFILE \S+ -> .*ulimit -n/);
  assert.ok(!(processes + files).includes('XDG_CACHE_HOME'));
});

test('the limits in those messages are this process’s own and the least of its cgroups', (t) => {
  const files = fileTree(t, {
    'proc/self/limits':
      'Limit  Soft Limit  Hard Limit  Units\nMax processes  128  256  processes\nMax open files  20  40  files\n',
    'proc/self/cgroup': '0::/pod/agent\n',
    'proc/self/mountinfo': '30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n',
    'sys/fs/cgroup/pod/agent/pids.max': 'max\n',
    'sys/fs/cgroup/pod/pids.max': '64\n',
    'sys/fs/cgroup/pod/memory.max': '500000000\n',
    'proc/sys/fs/file-max': '1000\n',
  });
  const said = (code: string): string => startFailure({ code }, (path) => files.text(path))?.message ?? '';
  assert.match(said('EAGAIN'), /RLIMIT_NPROC 128, cgroup pids\.max 64$/);
  assert.match(said('EMFILE'), /RLIMIT_NOFILE 20$/);
  assert.match(said('ENFILE'), /fs\.file-max 1000$/);
  assert.match(said('ENOMEM'), /cgroup limit: 0\.50 GB$/);
  assert.equal(startFailure({ code: 'ENOENT' }), null);
  assert.equal(startFailure(null), null);
});
