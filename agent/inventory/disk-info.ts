import type { MachineInventory } from '../../coordinator/contract/inventory.ts';
import type { MeasuredDisk } from '../run/host.ts';
import type { SystemFiles } from './system-files.ts';

type DiskInfo = MachineInventory['disk_info'][number];

/** The kernel counts sectors of 512 bytes here, whatever the device's sector size. */
const SECTOR_BYTES = 512;
/** Names of drives (admin-guide/devices.txt of Linux): SCSI, SATA, USB; IDE; virtio; Xen; NVMe; SD and eMMC; NVDIMM; DASD. */
const DRIVE = /^(sd|hd|vd|xvd)[a-z]+$|^nvme\d+n\d+$|^mmcblk\d+$|^pmem\d|^dasd[a-z]+$/;
/**
 * Not drives, although some have a `device`: loop, RAM disks, mappings and arrays on top of disks, optical and floppy
 * drives, raw flash, and disks of other machines (nbd, rbd, drbd, rnbd, ATA over Ethernet as `etherd!e0.0`).
 */
const NOT_A_DRIVE =
  /^(loop|ram|zram|dm-|md|sr|fd\d|nbd|rbd|drbd|rnbd|etherd|bcache|zd|nullb|ublkb|mtd|ubiblock|pktcdvd)/;

/** Every drive of the kernel with its mount points, also those through partitions and mappings (LVM, LUKS, RAID). */
export function diskInfo(files: SystemFiles, measured: Pick<MeasuredDisk, 'device' | 'speed'> | null): DiskInfo[] {
  const mounts = mountPoints(files);
  const names = files.names('sys/block').filter((name) => isDrive(files, name) && sizeOf(files, name) > 0);
  return [...Map.groupBy(names, (name) => driveOf(files, name)).values()].map((paths): DiskInfo => {
    const name = paths[0] ?? '';
    const numbers = [...new Set(paths.flatMap((path) => deviceNumbers(files, path)))];
    const isMeasured = measured !== null && numbers.includes(measured.device);
    const rotational = files.text(`sys/block/${name}/queue/rotational`);
    return {
      name,
      model: modelOf(files, name),
      rota: rotational === null ? null : rotational === '1',
      size: sizeOf(files, name),
      type: diskType(name, rotational),
      mountpoints: [...new Set(numbers.flatMap((number) => mounts.get(number) ?? []))].toSorted(),
      read_speed: isMeasured ? measured.speed.read_speed : null,
      write_speed: isMeasured ? measured.speed.write_speed : null,
    };
  });
}

/**
 * The parts of an eMMC (mmcblk0boot0, mmcblk0rpmb) and the hidden paths of an NVMe drive (nvme0c1n1) have drivers and
 * sizes of their own, but are not drives. A name that we do not know counts if a bus device is below it.
 */
function isDrive(files: SystemFiles, name: string): boolean {
  const isPart = /^mmcblk\d+(boot|rpmb|gp)|^nvme\d+c\d+n\d+$/.test(name);
  if (isPart || NOT_A_DRIVE.test(name) || files.text(`sys/block/${name}/hidden`) === '1') return false;
  return DRIVE.test(name) || files.names(`sys/block/${name}/device`).length > 0;
}

const sizeOf = (files: SystemFiles, name: string): number =>
  (Number(files.text(`sys/block/${name}/size`)) || 0) * SECTOR_BYTES;

/**
 * What two paths to one drive have in common: its worldwide name (`naa.`, `eui.`, `uuid.` of SCSI and NVMe) and its size.
 * Other names, such as `t10.` and `nvme.`, hold serial numbers, which cheap bridges share.
 */
function driveOf(files: SystemFiles, name: string): string {
  const wwid = files.text(`sys/block/${name}/wwid`) ?? files.text(`sys/block/${name}/device/wwid`) ?? '';
  return /^(naa|eui|uuid)\.[0-9a-f-]{16,}$/i.test(wwid) && !/^\w+\.[0-]+$/.test(wwid)
    ? `${wwid} ${sizeOf(files, name)}`
    : name;
}

/** eMMC and SD cards have a name instead of a model. */
function modelOf(files: SystemFiles, name: string): string | null {
  return files.text(`sys/block/${name}/device/${name.startsWith('mmcblk') ? 'name' : 'model'}`);
}

/** `major:minor` of the disk, its partitions and everything built on them: LVM on LUKS on RAID is three deep. */
function deviceNumbers(files: SystemFiles, disk: string): string[] {
  const folders = new Set([`sys/block/${disk}`, ...partitions(files, disk)]);
  // A set also yields what is added meanwhile.
  for (const folder of folders)
    for (const holder of files.names(`${folder}/holders`)) folders.add(`sys/block/${holder}`);
  return [...folders].map((folder) => files.text(`${folder}/dev`)).filter((number) => number !== null);
}

function partitions(files: SystemFiles, disk: string): string[] {
  return files
    .names(`sys/block/${disk}`)
    .filter((name) => name.startsWith(disk))
    .map((name) => `sys/block/${disk}/${name}`);
}

function diskType(name: string, rotational: string | null): string | null {
  if (name.startsWith('nvme')) return 'NVMe';
  if (name.startsWith('vd')) return 'virtio';
  if (name.startsWith('mmcblk')) return 'MMC';
  if (name.startsWith('pmem')) return 'PMEM';
  return rotational === null ? null : rotational === '1' ? 'HDD' : 'SSD';
}

/** Mount points by `major:minor`. The kernel writes blanks inside them as octal escapes. */
function mountPoints(files: SystemFiles): Map<string, string[]> {
  const mounts = new Map<string, string[]>();
  for (const line of files.text('proc/self/mountinfo')?.split('\n') ?? []) {
    const [, , number, , point] = line.split(' ');
    if (number === undefined || point === undefined) continue;
    const path = point.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
    mounts.set(number, [...new Set([...(mounts.get(number) ?? []), path])]);
  }
  return mounts;
}
