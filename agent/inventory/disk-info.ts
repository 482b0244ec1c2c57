import type { MachineInventory } from '../../coordinator/contract/inventory.ts';
import type { MeasuredDisk } from '../run/host.ts';
import type { SystemFiles } from './system-files.ts';

type DiskInfo = MachineInventory['disk_info'][number];

/** The kernel counts sectors of 512 bytes here, whatever the device's sector size. */
const SECTOR_BYTES = 512;
/** Not disks: loop devices, RAM disks, mappings and arrays on top of disks, optical drives. */
const NOT_A_DISK = /^(loop|ram|zram|dm-|md|sr|fd|nbd)/;

/** Every disk of the kernel with its mount points, also those through partitions and mappings (LVM, LUKS, RAID). */
export function diskInfo(files: SystemFiles, measured: Pick<MeasuredDisk, 'device' | 'speed'> | null): DiskInfo[] {
  const mounts = mountPoints(files);
  const disks = files.names('sys/block').filter((name) => !NOT_A_DISK.test(name));
  const described = disks.map((name): DiskInfo => {
    const numbers = deviceNumbers(files, name);
    const isMeasured = measured !== null && numbers.includes(measured.device);
    const rotational = files.text(`sys/block/${name}/queue/rotational`);
    return {
      name,
      model: files.text(`sys/block/${name}/device/model`),
      rota: rotational === null ? null : rotational === '1',
      size: Number(files.text(`sys/block/${name}/size`) ?? 0) * SECTOR_BYTES,
      type: diskType(name, rotational),
      mountpoints: numbers.flatMap((number) => mounts.get(number) ?? []).toSorted(),
      read_speed: isMeasured ? measured.speed.read_speed : null,
      write_speed: isMeasured ? measured.speed.write_speed : null,
    };
  });
  return described.filter((disk) => disk.size !== null && disk.size > 0);
}

/** `major:minor` of the disk, its partitions and everything built on them. */
function deviceNumbers(files: SystemFiles, disk: string): string[] {
  const folders = [`sys/block/${disk}`, ...partitions(files, disk)];
  const holders = folders.flatMap((folder) => files.names(`${folder}/holders`));
  // A mapping on a mapping (LVM on LUKS) is a holder of the first one.
  const deeper = holders.flatMap((name) => files.names(`sys/block/${name}/holders`));
  const all = [...folders, ...[...holders, ...deeper].map((name) => `sys/block/${name}`)];
  return [...new Set(all.map((folder) => files.text(`${folder}/dev`)).filter((number) => number !== null))];
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
