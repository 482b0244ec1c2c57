import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { probeSystem } from '../../../agent/inventory/library-probes.ts';
import { virtualization } from '../../../agent/inventory/virtualization.ts';
import { fakePrograms } from '../support/fake-nvidia-smi.ts';
import { fileTree } from '../support/file-tree.ts';

/** A `Memory Device` of `dmidecode -t memory` (SMBIOS 7.18). */
const device = (size: string, type: string, speed: string, more = ''): string =>
  `Handle 0x0020, DMI type 17, 92 bytes\nMemory Device\n\tTotal Width: 72 bits\n\tData Width: 64 bits\n\tSize: ${size}\n` +
  `\tForm Factor: DIMM\n\tLocator: DIMM_A1\n\tType: ${type}\n\tType Detail: Synchronous\n\tSpeed: 4800 MT/s\n` +
  `\tConfigured Memory Speed: ${speed}\n${more}\n`;

async function modulesOf(t: TestContext, ...devices: string[]): Promise<unknown> {
  fakePrograms(t, { dmidecode: `cat <<'END'\n# dmidecode 3.4\n${devices.join('')}END`, lscpu: 'exit 0' });
  return (await probeSystem()).modules;
}

test('memory modules have a type only if the firmware names one, and the speed at which all of them work', async (t) => {
  const none = device('No Module Installed', 'Unknown', 'Unknown');
  const ddr5 = device('32 GB', 'DDR5', '4800 MT/s');
  assert.deepEqual(await modulesOf(t, ddr5, none, ddr5), { count: 2, type: 'DDR5', speed_mts: 4800 });
  assert.deepEqual(await modulesOf(t, ddr5, device('32 GB', 'DDR5', '4400 MT/s')), {
    count: 2,
    type: 'DDR5',
    speed_mts: 4400,
  });
  for (const type of ['Unknown', 'Other', '<OUT OF SPEC>', 'RAM'])
    assert.deepEqual(await modulesOf(t, device('16384 MB', type, 'Unknown')), {
      count: 1,
      type: null,
      speed_mts: 4800,
    });
  assert.deepEqual(await modulesOf(t, device('16 GB', 'HBM2', '3200 MT/s'), ddr5), {
    count: 2,
    type: 'DDR5, HBM2',
    speed_mts: 3200,
  });
});

test('persistent modules and the chip of the firmware are not counted as memory', async (t) => {
  const ddr4 = device('32 GB', 'DDR4', '2666 MT/s');
  const optane = device('126 GB', 'Logical non-volatile device', '2400 MT/s', '\tNon-Volatile Size: 126 GB\n');
  const rom = device('16 MB', 'Flash', 'Unknown');
  assert.deepEqual(await modulesOf(t, ddr4, optane, ddr4, optane, rom), { count: 2, type: 'DDR4', speed_mts: 2666 });
  assert.equal(await modulesOf(t, optane), null);
});

const dmi = (names: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([name, text]) => [`sys/class/dmi/id/${name}`, text]));
const bare = { 'proc/cpuinfo': 'processor\t: 0\nflags\t\t: fpu vmx lm\n' };
const guest = { 'proc/cpuinfo': 'processor\t: 0\nflags\t\t: fpu lm hypervisor vmx\n' };
const arm = { 'proc/cpuinfo': 'processor\t: 0\nFeatures\t: fp asimd\n' };

test('on x86 the processor’s flag decides whether there is a hypervisor, and firmware or lscpu name it', (t) => {
  const of = (tree: Record<string, string>, lscpu: string | null = null): string | null =>
    virtualization(fileTree(t, tree), lscpu);
  for (const [tree, lscpu, expected] of [
    [bare, null, 'none'],
    // A whole server of a cloud; a host whose tools see its own virtual machines.
    [{ ...bare, ...dmi({ sys_vendor: 'Amazon EC2', product_name: 'p5.metal' }) }, null, 'none'],
    [{ ...bare, ...dmi({ sys_vendor: 'OpenStack Foundation' }) }, 'KVM', 'none'],
    [guest, null, 'virtual machine'],
    [guest, 'KVM', 'kvm'],
    [guest, 'Microsoft', 'hyper-v'],
    [{ ...guest, ...dmi({ sys_vendor: 'Google', product_name: 'Google Compute Engine' }) }, null, 'kvm'],
    [{ ...guest, ...dmi({ sys_vendor: 'Microsoft Corporation', product_name: 'Virtual Machine' }) }, null, 'hyper-v'],
    [{ ...guest, ...dmi({ sys_vendor: 'VMware, Inc.', product_name: 'VMware7,1' }) }, null, 'vmware'],
    [{ ...guest, ...dmi({ sys_vendor: 'QEMU', product_name: 'Standard PC (Q35 + ICH9, 2009)' }) }, null, 'qemu'],
    [{ ...guest, ...dmi({ sys_vendor: 'innotek GmbH', product_name: 'VirtualBox' }) }, null, 'virtualbox'],
    [{ ...guest, 'sys/hypervisor/type': 'xen\n' }, null, 'xen'],
    // Without the flag, as on Arm, silence says nothing.
    [arm, null, null],
    [{ ...arm, ...dmi({ sys_vendor: 'Amazon EC2', product_name: 'c7g.4xlarge' }) }, null, 'kvm'],
    [{ ...arm, ...dmi({ sys_vendor: 'Amazon EC2', product_name: 'c7g.metal' }) }, null, 'none'],
    [{ ...arm, 'sys/firmware/devicetree/base/hypervisor/compatible': 'linux,kvm\0' }, null, 'kvm'],
  ] as const)
    assert.equal(of(tree, lscpu), expected, JSON.stringify([tree, lscpu]));
});

test('the word kvm in the kernel’s log makes no virtual machine of bare metal', async (t) => {
  fakePrograms(t, {
    dmesg: 'echo "[    0.1] kvm: VMX supported, hypervisor virtual Nested"',
    lscpu: 'printf "Architecture: x86_64\\nVirtualization: VT-x\\n"',
    dmidecode: 'exit 1',
  });
  const { hypervisor } = await probeSystem();
  assert.equal(virtualization(fileTree(t, bare), hypervisor), 'none');
  assert.equal(hypervisor, null);
});

test('the hypervisor that lscpu names is taken from it', async (t) => {
  fakePrograms(t, {
    lscpu: 'printf "Hypervisor vendor:     KVM\\nVirtualization type:   full\\n"',
    dmidecode: 'exit 1',
  });
  assert.equal((await probeSystem()).hypervisor, 'KVM');
});
