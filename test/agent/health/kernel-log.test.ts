import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { eventOf, kernelSignals } from '../../../agent/health/kernel-events.ts';
import { readKernelLog, type AskProgram } from '../../../agent/health/kernel-log.ts';
import { watchNode } from '../../../agent/health/watch-node.ts';
import type { NodeSignal } from '../../../coordinator/contract/health.ts';
import { type Content, healthy, machineTree, QUIET_LOG, twoCards } from './support/machine-tree.ts';

const clock = { elapsed: () => 0 };

/** Signals from the kernel's log of a run. */
async function logged(t: TestContext, before: Content, after: Content = before): Promise<NodeSignal[]> {
  const tree = machineTree(t, { ...healthy, 'dev/kmsg': before });
  const watch = await watchNode({ files: tree.files, devices: twoCards, clock });
  tree.put('dev/kmsg', after);
  return (await watch.end()).filter(({ signal }) => signal.startsWith('kernel_') && signal !== 'kernel_taint');
}

/** Messages of the kernel as /dev/kmsg has them, ten seconds apart from 5,000 s after the start of the machine. */
const messages = (texts: readonly string[], first = 1000): string =>
  texts.map((text, place) => `4,${first + place},${(5000 + 10 * place) * 1e6},-;${text}\n`).join('');

const FALLEN = "NVRM: Xid (PCI:0000:19:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.";

/** Lines as drivers print them, and the fault that they report. */
const lines: [string, { signal: string; of: string; number: number | null } | null][] = [
  [FALLEN, { signal: 'kernel_xid', of: '0000:19:00.0', number: 79 }],
  [
    'NVRM: Xid (PCI:0000:04:00): 94, pid=207955, name=python3, Ch 0000000a, errorString CTX SWITCH TIMEOUT',
    { signal: 'kernel_xid', of: '0000:04:00.0', number: 94 },
  ],
  [
    'NVRM: Xid (PCI:0001:00:00 GPU-I:05 GPU-CI:00): 31, pid=79749, name=exe, Ch 0000000a, intr 00000000. MMU Fault: ENGINE GRAPHICS',
    { signal: 'kernel_xid', of: '0001:00:00.0', number: 31 },
  ],
  [
    'NVRM: Xid (0000:03:00): 13, 0001 00000000 000090c0 00001b0c 00000000 00000000',
    { signal: 'kernel_xid', of: '0000:03:00.0', number: 13 },
  ],
  [
    'NVRM: Xid (PCI:0000:65:00): 119, pid=4182, name=nvc:[driver], Timeout after 6s of waiting for RPC response from GPU0 GSP! Expected function 76',
    { signal: 'kernel_xid', of: '0000:65:00.0', number: 119 },
  ],
  ['NVRM: GPU 0000:01:00.0: GPU has fallen off the bus.', null],
  ['NVRM: Xid (PCI:0000:01:00): garbled', null],
  [
    'nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV error (First)',
    { signal: 'kernel_sxid', of: '0000:05:00.0', number: 12028 },
  ],
  [
    'nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 24007, Fatal, Link 30 sourcetrack timeout error',
    { signal: 'kernel_sxid', of: '0000:c3:00.0', number: 24007 },
  ],
  ['nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, Severity 0 Engine instance 32 Sub-engine instance 00', null],
  ['nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, Data {0x00140004, 0x00100000, 0x00140004, 0x00000000}', null],
  [
    'pcieport 0000:00:1c.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)',
    { signal: 'kernel_pcie_aer', of: '0000:00:1c.0', number: null },
  ],
  [
    'nvidia 0000:19:00.0: AER: PCIe Bus Error: severity=Uncorrected (Non-Fatal), type=Transaction Layer, (Requester ID)',
    { signal: 'kernel_pcie_aer', of: '0000:19:00.0', number: null },
  ],
  [
    'pcieport 0000:07:00.0: PCIe Bus Error: severity=Correctable, type=Data Link Layer, (Receiver ID)',
    { signal: 'kernel_pcie_aer', of: '0000:07:00.0', number: null },
  ],
  [
    'nvme 0000:2c:00.0: AER: aer_status: 0x00002001, aer_mask: 0x00000000',
    { signal: 'kernel_pcie_aer', of: '0000:2c:00.0', number: null },
  ],
  ['pcieport 0000:00:1c.0: AER: Corrected error received: 0000:00:1c.0', null],
  ['pcieport 0000:00:1c.0:   device [8086:9d13] error status/mask=00000001/00002000', null],
  [
    'amdgpu 0000:c3:00.0: amdgpu: 2 uncorrectable hardware errors detected in umc block',
    { signal: 'kernel_amdgpu_ras', of: '0000:c3:00.0', number: null },
  ],
  [
    'amdgpu 0000:c3:00.0: amdgpu: {7} socket: 1, die: 2, 1 new uncorrectable hardware errors detected in umc block',
    { signal: 'kernel_amdgpu_ras', of: '0000:c3:00.0', number: null },
  ],
  [
    'amdgpu 0000:c3:00.0: amdgpu: socket: 1, die: 2 4 uncorrectable hardware errors detected in total in umc block',
    null,
  ],
  ['amdgpu 0000:c3:00.0: amdgpu: no uncorrectable hardware errors detected in umc block', null],
  ['amdgpu 0000:c3:00.0: amdgpu: 0 uncorrectable hardware errors detected in umc block', null],
  ['amdgpu 0000:c3:00.0: amdgpu: 10 correctable hardware errors detected in umc block', null],
  [
    'amdgpu 0000:03:00.0: amdgpu: GPU reset begin!',
    { signal: 'kernel_amdgpu_reset', of: '0000:03:00.0', number: null },
  ],
  ['amdgpu 0000:03:00.0: amdgpu: GPU reset succeeded, trying to resume', null],
];
for (const [line, expected] of lines)
  test(`${line.slice(0, 90)}: ${expected === null ? 'no fault, or told by another line' : expected.signal}`, () => {
    assert.deepEqual(eventOf(line), expected);
  });

test('an Xid before the run is told with its card, its number and how long ago', async (t) => {
  const rows = await logged(t, QUIET_LOG + messages([FALLEN, FALLEN]));
  // The log was read 10,000 s after the start of the machine, the later line is of 5,010 s.
  assert.deepEqual(rows, [
    { signal: 'kernel_xid', of: '0000:19:00.0', value: 79, during_run: 0, seconds_ago: 4990 },
    { signal: 'kernel_sxid', value: 'none', during_run: 0 },
    { signal: 'kernel_pcie_aer', value: 0, during_run: 0 },
  ]);
});

test('lines that come during the run are counted by their number in the log, whatever their clock says', async (t) => {
  const before = QUIET_LOG + messages([FALLEN], 2000);
  const late = `4,2001,1000000,-;${FALLEN}\n4,2002,1000000,-;nvidia 0000:1a:00.0: PCIe Bus Error: severity=Corrected, type=Data Link Layer, (Receiver ID)\n`;
  assert.deepEqual(await logged(t, before, before + late), [
    { signal: 'kernel_xid', of: '0000:19:00.0', value: 79, during_run: 1, seconds_ago: 5000 },
    { signal: 'kernel_pcie_aer', of: '0000:1a:00.0', value: 0, during_run: 1 },
    { signal: 'kernel_sxid', value: 'none', during_run: 0 },
  ]);
});

test('an Xid of the run is told although the log has lost all that was before it', async (t) => {
  const rows = await logged(t, QUIET_LOG, messages([FALLEN], 90_000));
  assert.deepEqual(rows[0], { signal: 'kernel_xid', of: '0000:19:00.0', value: 79, during_run: 1 });
});

test('what a program writes into the log is not believed: only the kernel has facility 0', async (t) => {
  const rows = await logged(t, `${QUIET_LOG}12,341,6000000000,-;${FALLEN}\n`);
  assert.deepEqual(rows[0], { signal: 'kernel_xid', value: 'none', during_run: 0 });
});

test('without leave to read the log the signals are not read, with what would allow it', async (t) => {
  const [missing] = await logged(t, null);
  assert.match(missing?.not_read ?? '', /^\/dev\/kmsg is not in this container/);
  const circle = await logged(t, { link: 'kmsg' });
  assert.deepEqual([...new Set(circle.map(({ value }) => value))], [null]);
  assert.match(circle[0]?.not_read ?? '', /circle/);
});

test('a log that never ends, and one whose next line does not come, end the reading', async (t) => {
  const endless = await logged(t, { link: '/dev/zero' });
  assert.deepEqual(
    endless.map(({ signal, value }) => [signal, value]),
    [
      ['kernel_xid', null],
      ['kernel_sxid', null],
      ['kernel_pcie_aer', null],
    ],
  );
  assert.match(endless[0]?.not_read ?? '', /newest messages are missing/);
  const tree = machineTree(t, { ...healthy, 'dev/kmsg': null, 'dev/null': '' });
  execFileSync('mkfifo', [join(tree.root, 'dev/kmsg')]);
  const watch = await watchNode({ files: tree.files, devices: twoCards, clock });
  assert.equal((await watch.end())[0]?.value, 'none');
});

test('a log beyond the limit tells the faults that were read, and that there may be more', async (t) => {
  const flood = `${messages([FALLEN])}${`6,2000,6000000000,-;${'x'.repeat(1000)}\n`.repeat(17_000)}`;
  const rows = await logged(t, flood);
  assert.deepEqual(rows[0], { signal: 'kernel_xid', of: '0000:19:00.0', value: 79, during_run: 0, seconds_ago: 5000 });
  assert.match(
    rows.find(({ signal, value }) => signal === 'kernel_xid' && value === null)?.not_read ?? '',
    /longer than what is read/,
  );
});

test('faults of a thousand kinds are cut, and it is said', async (t) => {
  const many = Array.from({ length: 1000 }, (_, number) => `NVRM: Xid (PCI:0000:19:00): ${number}, pid=1, name=a, x`);
  const rows = (await logged(t, messages(many))).filter(({ signal }) => signal === 'kernel_xid');
  assert.equal(rows.length, 401);
  assert.match(rows.at(-1)?.not_read ?? '', /600 further kinds/);
});

/** Where /dev/kmsg may not be read: what the programs print. */
const programs: [string, string][] = [
  [
    'dmesg',
    `<6>[    0.000000] Linux version 6.8.0-45-generic\n<4>[ 5000.123456] ${FALLEN}\n<12>[ 6000.000000] NVRM: Xid (PCI:0000:1a:00): 48, made up\n`,
  ],
  ['dmesg', `<4>[ 5000.123456][ T1234] ${FALLEN}\n`],
  [
    'journalctl',
    `[    0.000000] node7 kernel: Linux version 6.8.0-45-generic\n[ 5000.123456] node7 kernel: ${FALLEN}\n`,
  ],
];
for (const [name, printed] of programs)
  test(`${name} is asked where /dev/kmsg may not be read: ${printed.split('\n').length - 1} lines`, async (t) => {
    const { files } = machineTree(t, { 'proc/uptime': '1 1\n' });
    const ask: AskProgram = async (program) => {
      if (program !== name) throw new Error('Operation not permitted');
      return printed;
    };
    const log = await readKernelLog(files, (text) => eventOf(text) !== null, ask);
    assert.deepEqual(kernelSignals(log, null, 6000, new Set(['nvidia'])), [
      { signal: 'kernel_xid', of: '0000:19:00.0', value: 79, seconds_ago: 1000 },
      { signal: 'kernel_pcie_aer', value: 0 },
    ]);
  });

test('of programs, the run begins behind the last line before it', async (t) => {
  const { files } = machineTree(t, {});
  const read = (printed: string) =>
    readKernelLog(
      files,
      (text) => eventOf(text) !== null,
      async () => printed,
    );
  const before = await read('<6>[    1.000000] a\n<6>[ 5000.000000] b\n');
  const after = await read(`<6>[    1.000000] a\n<6>[ 5000.000000] b\n<4>[ 5000.000001] ${FALLEN}\n`);
  assert.equal(kernelSignals(before, after, null, new Set(['nvidia']))[0]?.during_run, 1);
});
