import type { SystemFiles } from './system-files.ts';

/** Firmware tables of virtual machines, most of them as in systemd-detect-virt(1): vendor or product, and the hypervisor. */
const FIRMWARE: readonly [RegExp, string][] = [
  [/^(kvm|openstack|kubevirt|amazon ec2|google compute engine|alibaba cloud|digitalocean|droplet)/i, 'kvm'],
  [/^(vmware|vmw)/i, 'vmware'],
  [/^(innotek|virtualbox|oracle corporation)/i, 'virtualbox'],
  [/^(xen|hvm domu)/i, 'xen'],
  [/^virtual machine$/i, 'hyper-v'],
  [/^bhyve/i, 'bhyve'],
  [/^parallels/i, 'parallels'],
  [/^bochs/i, 'bochs'],
  [/^qemu/i, 'qemu'],
];
/** lscpu's names of vendors that have another name as a hypervisor. */
const VENDORS: Readonly<Record<string, string>> = {
  microsoft: 'hyper-v',
  oracle: 'virtualbox',
  'innotek gmbh': 'virtualbox',
};

/**
 * The hypervisor below this system, `none`, `virtual machine` if it is not known which, or null if nothing is known. On
 * x86 the processor's flag decides whether there is one, whatever else mentions one: a host of virtual machines has the
 * word in its kernel log, and a whole server of a cloud the cloud's name in its firmware.
 * @param vendor lscpu's `Hypervisor vendor`
 */
export function virtualization(files: SystemFiles, vendor: string | null): string | null {
  const flags = /^flags\s*:(.*)$/m.exec(files.text('proc/cpuinfo') ?? '')?.[1];
  if (flags !== undefined && !/ hypervisor( |$)/.test(flags)) return 'none';
  const said = vendor?.trim().toLowerCase() || null;
  const name = (said === null ? null : (VENDORS[said] ?? said)) ?? ofFirmware(files) ?? ofDeviceTree(files);
  return name ?? (flags === undefined ? null : 'virtual machine');
}

function ofFirmware(files: SystemFiles): string | null {
  const texts = ['product_name', 'sys_vendor', 'board_vendor', 'bios_vendor'].map((name) =>
    files.text(`sys/class/dmi/id/${name}`),
  );
  // A whole server of AWS, such as c7g.metal.
  if (texts[0]?.endsWith('.metal') === true) return 'none';
  for (const text of texts) {
    const hypervisor = FIRMWARE.find(([pattern]) => pattern.test(text ?? ''))?.[1];
    if (hypervisor !== undefined) return hypervisor;
  }
  return files.text('sys/hypervisor/type');
}

/** Arm without firmware tables: `linux,kvm`, `xen,xen-4.17`. Device tree texts end with NUL. */
function ofDeviceTree(files: SystemFiles): string | null {
  const compatible = files.text('sys/firmware/devicetree/base/hypervisor/compatible');
  if (compatible === null) return null;
  return compatible.startsWith('xen') ? 'xen' : compatible.startsWith('linux,kvm') ? 'kvm' : 'virtual machine';
}
