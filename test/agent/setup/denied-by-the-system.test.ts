import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { runOptions } from '../../../agent/cli/options.ts';
import { startFailure } from '../../../agent/kernels/start-failure.ts';
import { extractRunner } from '../../../agent/setup/extract-runner.ts';
import { ExitError } from '../../../agent/run/exit-error.ts';
import { fakeRunner } from '../support/fake-runner.ts';
import { agentTree } from '../support/agent-tree.ts';
import { fileTree } from '../support/file-tree.ts';
import { testHost } from '../support/test-host.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * Starts a program with a seccomp filter that fails one thing with an error: AF_NETLINK sockets, as containers and
 * systemd's RestrictAddressFamilies= do, or new processes, as at RLIMIT_NPROC, which does not bind root. Threads go on;
 * the flags of clone3 cannot be seen, so glibc is told that it does not exist.
 */
const FILTER = `
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#define NUMBER BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define FIRST BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]))
#define FAIL(code) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((code) & SECCOMP_RET_DATA))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
int main(int count, char **words) {
  const int code = count > 3 ? atoi(words[2]) : 0;
  struct sock_filter netlink[] = {
    NUMBER, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3),
    FIRST, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 1), FAIL(code), ALLOW,
  };
  struct sock_filter processes[] = {
    NUMBER, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1), FAIL(ENOSYS),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
    FIRST, BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0), FAIL(code), ALLOW,
  };
  const int is_netlink = count > 3 && words[1][0] == 'n';
  struct sock_fprog program = is_netlink ? (struct sock_fprog){sizeof netlink / sizeof *netlink, netlink}
                                         : (struct sock_fprog){sizeof processes / sizeof *processes, processes};
  if (count < 4 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 99;
  execvp(words[3], words + 3);
  return 98;
}
`;

/** Its path. `filter WHAT ERRNO PROGRAM ...`; WHAT is `netlink` or `processes`. */
function filterProgram(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-seccomp-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'filter.c'), FILTER);
  execFileSync('cc', ['-o', join(folder, 'filter'), join(folder, 'filter.c')]);
  return join(folder, 'filter');
}

test('under a seccomp filter without AF_NETLINK doctor says what is missing, and --net-interface is refused with the remedy', async (t) => {
  const filter = filterProgram(t);
  const { folder } = agentTree(t);
  const agent = (code: string, ...args: string[]) =>
    execa(
      filter,
      ['netlink', code, process.execPath, '--preserve-symlinks-main', join(folder, 'agent/main.ts'), ...args],
      {
        reject: false,
        env: { GPUMARK_STATE_DIR: join(folder, 'state') },
      },
    );
  // EPERM of container engines, EAFNOSUPPORT of systemd.
  for (const [code, name] of [
    ['1', 'EPERM'],
    ['97', 'EAFNOSUPPORT'],
  ] as const) {
    const doctor = await agent(code, 'doctor', '--device', 'cpu');
    assert.equal(doctor.exitCode, 0, doctor.stdout + doctor.stderr);
    assert.match(doctor.stdout, new RegExp(`! links +the network interfaces cannot be listed \\(${name}\\)`));
    assert.match(doctor.stdout, /Allow AF_NETLINK sockets/);
    const named = await agent(code, '--net-interface', 'lo');
    assert.equal(named.exitCode, 2, named.stderr);
    assert.match(named.stderr, /^gpumark-agent: --net-interface: the network interfaces cannot be listed \(E/);
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

const program = Buffer.from('#!/bin/sh\nexit 0\n');
const sha256 = createHash('sha256').update(program).digest('hex');

/** What each way to start the runner says in a process that runs `first` before and is started by `starter`. */
async function startsIn(t: TestContext, starter: readonly string[], first: string): Promise<string[]> {
  const { folder } = testHost(t);
  const runner = fakeRunner(folder);
  await extractRunner({ sha256, bytes: program }, [folder]);
  const script = join(folder, 'starts.ts');
  const module = (path: string): string => JSON.stringify(pathToFileURL(join(root, 'agent', path)).href);
  writeFileSync(
    script,
    `import { execFileSync } from 'node:child_process';
     import { openSync } from 'node:fs';
     import { extractRunner } from ${module('setup/extract-runner.ts')};
     import { listDevices, listBenchmarks } from ${module('kernels/list-devices.ts')};
     import { readRunnerVersion } from ${module('kernels/runner-version.ts')};
     const path = ${JSON.stringify(runner)};
     const unpacked = { sha256: '${sha256}', bytes: Buffer.from(${JSON.stringify(program.toString())}) };
     ${first}
     const ways = [
       () => extractRunner(unpacked, [${JSON.stringify(folder)}]),
       () => listDevices(path), () => listBenchmarks(path), () => readRunnerVersion(path),
     ];
     for (const way of ways) {
       const error = await way().then(() => ({ message: 'it was started' }), (reason) => reason);
       process.stdout.write(error.name + ': ' + error.message + ' -> ' + error.remedy + '\\n');
     }`,
  );
  const [file, ...words] = [...starter, process.execPath, '--no-warnings', script];
  const { stdout, stderr } = await execa(file, words, { reject: false });
  const lines = stdout.trim().split('\n');
  assert.equal(lines.length, 4, stdout + stderr);
  return lines;
}

test('a program that cannot be started for a limit names that limit and its remedy, not the directory of the runner', async (t) => {
  const eagain = '11';
  const processes = await startsIn(t, [filterProgram(t), 'processes', eagain], '');
  for (const line of processes)
    assert.match(
      line,
      /\(EAGAIN\): the limit of processes is reached: RLIMIT_NPROC \S+, cgroup pids\.max \S+ -> .*ulimit -u/,
    );
  const files = await startsIn(
    t,
    [],
    `execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=64']);
     try { for (;;) openSync('/dev/null'); } catch {}`,
  );
  for (const line of files)
    assert.match(line, /\(EMFILE\): the limit of open files is reached: RLIMIT_NOFILE \S+ -> .*ulimit -n/);
  assert.ok(![...processes, ...files].some((line) => line.includes('XDG_CACHE_HOME')));
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
