import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { diskInfo } from '../../../agent/inventory/disk-info.ts';
import { fileTree } from '../support/file-tree.ts';

/** A block device of /sys/block (sysfs-block of Linux) with 1,000,000 sectors. */
function block(name: string, numbers: string, more: Record<string, string> = {}): Record<string, string> {
  const folder = `sys/block/${name}`;
  return {
    [`${folder}/size`]: '1000000\n',
    [`${folder}/dev`]: `${numbers}\n`,
    ...Object.fromEntries(Object.entries(more).map(([path, text]) => [`${folder}/${path}`, text])),
  };
}

const listed = (t: TestContext, ...blocks: Record<string, string>[]): string[] =>
  diskInfo(fileTree(t, Object.assign({}, ...blocks) as Record<string, string>), null).map(({ name, type, model }) =>
    [name, type, model].join(' '),
  );

test('an NVMe drive with two paths is one drive: its hidden paths are none', (t) => {
  const drive = { 'queue/rotational': '0', wwid: 'eui.0025385b11b2c3d4' };
  assert.deepEqual(
    listed(
      t,
      block('nvme0n1', '259:1', { ...drive, 'device/model': 'SAMSUNG MZWLR7T6HALA-00007' }),
      block('nvme0c0n1', '259:0', { ...drive, hidden: '1' }),
      // Linux before 4.15 has no attribute `hidden`.
      block('nvme0c1n1', '259:2', drive),
    ),
    ['nvme0n1 NVMe SAMSUNG MZWLR7T6HALA-00007'],
  );
});

test('paths with one worldwide name are one drive with the mount points of all; other names are not compared', (t) => {
  const path = { 'queue/rotational': '1', 'device/model': 'ST16000NM002G', 'device/wwid': 'naa.5000c500d8a1b2c3' };
  const bridge = { 'queue/rotational': '1', 'device/wwid': 't10.USB     SATA Bridge  0123456789' };
  const files = fileTree(t, {
    ...block('sda', '8:0', path),
    ...block('sdb', '8:16', { ...path, 'holders/dm-0/dev': '253:0' }),
    ...block('dm-0', '253:0'),
    ...block('sdc', '8:32', bridge),
    ...block('sdd', '8:48', bridge),
    // Zeros name nothing.
    ...block('sde', '8:64', { 'device/wwid': 'naa.0000000000000000' }),
    ...block('sdf', '8:80', { 'device/wwid': 'naa.0000000000000000' }),
    'proc/self/mountinfo': '1 0 253:0 / /data rw - xfs /dev/mapper/mpatha rw\n',
  });
  const disks = diskInfo(files, { device: '253:0', speed: { read_speed: 200, write_speed: 100 } });
  assert.deepEqual(
    disks.map(({ name, mountpoints, read_speed }) => [name, mountpoints.join(), read_speed]),
    [
      ['sda', '/data', 200],
      ['sdc', '', null],
      ['sdd', '', null],
      ['sde', '', null],
      ['sdf', '', null],
    ],
  );
});

test('volumes, network disks, test devices, raw flash and the boot partitions of an eMMC are not drives', (t) => {
  const device = { 'device/uevent': 'DEVTYPE=x' };
  assert.deepEqual(
    listed(
      t,
      block('zd0', '230:0'),
      block('rbd0', '252:0', device),
      block('drbd0', '147:0'),
      block('bcache0', '251:0'),
      block('nbd0', '43:0'),
      block('rnbd0', '250:0'),
      block('etherd!e0.0', '152:0'),
      block('nullb0', '249:0'),
      block('ublkb0', '259:9'),
      block('zram0', '254:0'),
      block('md127', '9:127'),
      block('dm-3', '253:3'),
      block('loop7', '7:7'),
      block('sr0', '11:0', device),
      block('fd0', '2:0', device),
      block('mtdblock0', '31:0', device),
      block('ubiblock0_0', '248:0'),
      block('mmcblk0boot0', '179:8', device),
      block('mmcblk0boot1', '179:16', device),
      block('mmcblk0rpmb', '179:24', device),
      block('mmcblk0gp0', '179:32', device),
      // Of a driver that nobody here knows, with nothing below it.
      block('xyz0', '240:0'),
    ),
    [],
  );
});

test('eMMC, virtio, Xen, NVDIMM, USB and controllers’ own names are drives', (t) => {
  assert.deepEqual(
    listed(
      t,
      block('mmcblk0', '179:0', { 'device/name': 'SEM04G', 'queue/rotational': '0' }),
      block('vda', '254:0', { 'queue/rotational': '1' }),
      block('xvda', '202:0', { 'queue/rotational': '0' }),
      block('pmem0', '259:0', { 'queue/rotational': '0' }),
      block('sdaa', '65:160', { 'queue/rotational': '0', 'device/model': 'SanDisk 3.2Gen1' }),
      block('cciss!c0d0', '104:0', { 'queue/rotational': '1', 'device/model': 'LOGICAL VOLUME' }),
    ),
    [
      'cciss!c0d0 HDD LOGICAL VOLUME',
      'mmcblk0 MMC SEM04G',
      'pmem0 PMEM ',
      'sdaa SSD SanDisk 3.2Gen1',
      'vda virtio ',
      'xvda SSD ',
    ],
  );
});

test('a mount point is found through RAID, LUKS and LVM, one on the other', (t) => {
  const files = fileTree(t, {
    ...block('sda', '8:0', { 'sda1/dev': '8:1', 'sda1/holders/md0/dev': '9:0' }),
    ...block('md0', '9:0', { 'holders/dm-0/dev': '253:0' }),
    ...block('dm-0', '253:0', { 'holders/dm-1/dev': '253:1' }),
    ...block('dm-1', '253:1'),
    'proc/self/mountinfo': '1 0 253:1 / / rw - ext4 /dev/mapper/vg-root rw\n2 0 8:1 / /tab\\011here rw - ext4 x rw\n',
  });
  assert.deepEqual(diskInfo(files, null)[0]?.mountpoints, ['/', '/tab\there']);
});
