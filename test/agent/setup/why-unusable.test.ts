import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { SystemFiles } from '../../../agent/inventory/system-files.ts';
import { remedyOf, whyUnusable } from '../../../agent/setup/why-unusable.ts';
import { fileTree } from '../support/file-tree.ts';

const ADDRESSES = ['0000:17:00.0', '0000:18:00.0'];
const bus = (vendor: string): Record<string, string> =>
  Object.fromEntries(
    ADDRESSES.flatMap((address) => [
      [`sys/bus/pci/devices/${address}/vendor`, vendor],
      [`sys/bus/pci/devices/${address}/class`, '0x030200'],
    ]),
  );
const nvidia = bus('0x10de');
const amd = bus('0x1002');
const module = {
  'proc/driver/nvidia/version':
    'NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.126.09  Release Build  (dvs-builder@U22)\n' +
    'GCC version:  gcc version 13.3.0\n',
};
const nodes = { 'dev/nvidiactl': '', 'dev/nvidia-uvm': '', 'dev/nvidia0': '' };

/** A tree with symbolic links: path -> target. */
function treeWith(t: TestContext, contents: Record<string, string>, links: Record<string, string> = {}): SystemFiles {
  const files = fileTree(t, contents);
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(files.root, path)), { recursive: true });
    symlinkSync(target, join(files.root, path));
  }
  return files;
}

const heldBy = (driver: string) =>
  Object.fromEntries(
    ADDRESSES.map((address) => [`sys/bus/pci/devices/${address}/driver`, `../../bus/pci/drivers/${driver}`]),
  );

function told(
  files: SystemFiles,
  vendor: string,
  status: string,
  rest: { env?: Record<string, string>; attributes?: Record<string, unknown> } = {},
): { cause: string; remedy: string } {
  const causes = whyUnusable({ vendor, status, attributes: rest.attributes ?? {} }, files, rest.env ?? {});
  return { cause: causes.map(({ cause }) => cause).join('; '), remedy: remedyOf(causes) };
}

test('a variable that hides every card is the cause, with its value, and the remedy is to unset it', (t) => {
  const files = treeWith(t, { ...nvidia, ...module, ...nodes });
  for (const [value, why] of [
    ['', 'is set, but empty'],
    ['  ', 'is set, but empty'],
    ['-1', "is '-1'"],
    ['NoDevFiles', "is 'NoDevFiles'"],
    ['none', "is 'none'"],
    [',0', "is ',0'"],
    ['GPU-deadbeef', "is 'GPU-deadbeef', and the driver has no such UUID"],
    ['MIG-12', "is 'MIG-12', and the driver has no such UUID"],
    ['2', "is '2', but this machine has 2 cards, counted from 0"],
    ['0,0', "is '0,0': a card that is named twice"],
    ['all', "is 'all', neither a number nor a UUID"],
  ] as const) {
    const { cause, remedy } = told(files, 'nvidia', 'no-device', { env: { CUDA_VISIBLE_DEVICES: value } });
    assert.ok(cause.startsWith(`CUDA_VISIBLE_DEVICES ${why}`), cause);
    assert.match(remedy, /^Unset CUDA_VISIBLE_DEVICES, /);
    assert.doesNotMatch(remedy, /[Ii]nstall/);
    assert.equal(remedy.includes('--gres=gpu'), value === 'NoDevFiles');
  }
  // Names a card that is there, so something else is the matter.
  const { cause } = told(files, 'nvidia', 'no-device', { env: { CUDA_VISIBLE_DEVICES: '0,9' } });
  assert.doesNotMatch(cause, /CUDA_VISIBLE_DEVICES/);
});

test('on AMD the first of four variables that hides every card is named, and CUDA’s counts only without HIP’s', (t) => {
  const files = treeWith(t, { ...amd, 'dev/kfd': '', 'dev/dri/renderD128': '' });
  const causeOf = (env: Record<string, string>): string => told(files, 'amd', 'no-device', { env }).cause;
  for (const name of ['ROCR_VISIBLE_DEVICES', 'HIP_VISIBLE_DEVICES', 'CUDA_VISIBLE_DEVICES', 'GPU_DEVICE_ORDINAL'])
    assert.match(causeOf({ [name]: '-1' }), new RegExp(`^${name} is '-1'`));
  assert.match(causeOf({ HIP_VISIBLE_DEVICES: '-1', ROCR_VISIBLE_DEVICES: '0' }), /^HIP_VISIBLE_DEVICES/);
  assert.doesNotMatch(causeOf({ HIP_VISIBLE_DEVICES: '0', CUDA_VISIBLE_DEVICES: '' }), /CUDA/);
});

test('MIG without an instance is the cause, and how to create one or switch it off the remedy', (t) => {
  const files = treeWith(t, { ...nvidia, ...module, ...nodes });
  const { cause, remedy } = told(files, 'nvidia', 'error', { attributes: { mig_empty: true } });
  assert.equal(cause, 'no program can use such a card');
  assert.match(remedy, /nvidia-smi mig -cgi.*nvidia-smi -i CARD -mig 0/);
  // Both stand in the way.
  const both = told(files, 'nvidia', 'error', { attributes: { mig_empty: true }, env: { CUDA_VISIBLE_DEVICES: '' } });
  assert.match(both.cause, /CUDA_VISIBLE_DEVICES.*no program can use such a card/);
});

test('an error number of the driver names an update without a reboot, cuda-compat, the fabric manager, an old driver', (t) => {
  const files = treeWith(t, { ...nvidia, ...module, ...nodes });
  for (const [driver_code, cause, remedy] of [
    [803, /kernel module \(580\.126\.09\).*different versions.*without a reboot/, /^Reboot, .*modprobe -r/],
    [804, /cuda-compat/, /LD_LIBRARY_PATH/],
    [802, /NVLink/, /nvidia-fabricmanager/],
    [35, /kernel driver \(580\.126\.09\) is older/, /^Update the driver/],
  ] as const) {
    const found = told(files, 'nvidia', driver_code === 802 ? 'error' : 'driver-too-old', {
      attributes: { driver_code },
    });
    assert.match(found.cause, cause);
    assert.match(found.remedy, remedy);
  }
});

test('a card in the hands of nouveau, radeon or a virtual machine is said to be', (t) => {
  for (const [vendor, driver, cause, remedy] of [
    ['nvidia', 'nouveau', /nouveau holds 0000:17:00\.0, 0000:18:00\.0, instead of nvidia/, /blacklist nouveau/],
    ['amd', 'radeon', /radeon holds/, /amdgpu/],
    ['nvidia', 'vfio-pci', /are reserved for virtual machines \(vfio-pci\)/, /driverctl/],
  ] as const) {
    const files = treeWith(t, vendor === 'nvidia' ? nvidia : amd, heldBy(driver));
    const found = told(files, vendor, 'no-driver');
    assert.match(found.cause, cause);
    assert.match(found.remedy, remedy);
  }
});

test('an installed library without its kernel module is said to be that, not a missing driver', (t) => {
  const { cause, remedy } = told(treeWith(t, nvidia), 'nvidia', 'no-device');
  assert.match(cause, /kernel module is not loaded/);
  assert.match(remedy, /modprobe nvidia.*dkms.*Secure Boot/);
  assert.match(told(treeWith(t, nvidia), 'nvidia', 'no-driver').remedy, /^Install the driver.*--gpus all/);
});

test('device files that are missing beside a loaded module are named', (t) => {
  const { 'dev/nvidia-uvm': _uvm, ...others } = nodes;
  const found = told(treeWith(t, { ...nvidia, ...module, ...others }), 'nvidia', 'error');
  assert.match(found.cause, /\/dev\/nvidia-uvm is missing/);
  assert.match(found.remedy, /nvidia-modprobe -c 0 -u/);
  const none = told(treeWith(t, { ...amd, 'sys/module/amdgpu/x': '' }), 'amd', 'no-device');
  assert.match(none.cause, /\/dev\/kfd, \/dev\/dri\/renderD128 are missing/);
});

test('a container that was started without a card is said to be, with what its runtime was told', (t) => {
  const files = treeWith(t, { ...nvidia, ...module }, { 'proc/self/ns/pid': 'pid:[4026532198]' });
  const { cause, remedy } = told(files, 'nvidia', 'no-driver', { env: { NVIDIA_VISIBLE_DEVICES: 'void' } });
  assert.match(
    cause,
    /\/dev\/nvidia0 are missing: this container was started without a card \(NVIDIA_VISIBLE_DEVICES is 'void'\)/,
  );
  assert.equal(remedy, 'A container gets them when it is started with --gpus all.');
});

test('a device file that a device rule or its permissions close is named, and which of the two it is', (t) => {
  for (const [vendor, path, code, cause, remedy] of [
    [
      'nvidia',
      'dev/nvidia0',
      'EPERM',
      /a device rule \(cgroup\) keeps this process from \/dev\/nvidia0/,
      /--gres.*DeviceAllow/,
    ],
    ['nvidia', 'dev/nvidiactl', 'EACCES', /this user may not open \/dev\/nvidiactl/, /ls -l \/dev\/nvidia/],
    ['amd', 'dev/kfd', 'EACCES', /this user may not open \/dev\/kfd/, /groups render and video/],
    ['amd', 'dev/dri/renderD128', 'EPERM', /cgroup.*\/dev\/dri\/renderD128/, /--device/],
  ] as const) {
    const contents =
      vendor === 'nvidia' ? { ...nvidia, ...module, ...nodes } : { ...amd, 'dev/kfd': '', 'dev/dri/renderD128': '' };
    const files = treeWith(t, contents);
    // Neither can be set up by a test that runs as root.
    files.refusal = (asked) => (asked === path ? code : null);
    const found = told(files, vendor, 'no-device');
    assert.match(found.cause, cause);
    assert.match(found.remedy, remedy);
  }
});
