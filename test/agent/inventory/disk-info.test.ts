import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskInfo } from '../../../agent/inventory/disk-info.ts';
import { deviceNumber } from '../../../agent/inventory/disk-speed.ts';
import { fileTree } from '../support/file-tree.ts';

const sys = {
  'sys/block/nvme0n1/size': '1953525168\n',
  'sys/block/nvme0n1/dev': '259:0\n',
  'sys/block/nvme0n1/device/model': 'FAST DISK 1TB   \n',
  'sys/block/nvme0n1/queue/rotational': '0\n',
  'sys/block/nvme0n1/nvme0n1p1/dev': '259:1\n',
  'sys/block/nvme0n1/nvme0n1p2/dev': '259:2\n',
  'sys/block/nvme0n1/nvme0n1p2/holders/dm-0/dev': '253:0\n',
  'sys/block/dm-0/dev': '253:0\n',
  'sys/block/dm-0/size': '100\n',
  'sys/block/dm-0/holders/dm-1/dev': '253:1\n',
  'sys/block/dm-1/dev': '253:1\n',
  'sys/block/sda/size': '7814037168\n',
  'sys/block/sda/dev': '8:0\n',
  'sys/block/sda/queue/rotational': '1\n',
  'sys/block/loop0/size': '8\n',
  'sys/block/sdb/size': '0\n',
  'proc/self/mountinfo': [
    '1 0 259:1 / /boot rw - ext4 /dev/nvme0n1p1 rw',
    '2 0 253:1 / / rw - ext4 /dev/mapper/root rw',
    '3 0 8:0 / /mnt/big\\040disk rw - xfs /dev/sda rw',
    '4 0 0:22 / /proc rw - proc proc rw',
  ].join('\n'),
};

test('disks carry size in bytes, kind and every mount point, also through LUKS and LVM', (t) => {
  const [fast, big, ...rest] = diskInfo(fileTree(t, sys), null);
  // 1953525168 sectors of 512 bytes.
  assert.deepEqual(fast, {
    name: 'nvme0n1',
    model: 'FAST DISK 1TB',
    rota: false,
    size: 1_000_204_886_016,
    type: 'NVMe',
    mountpoints: ['/', '/boot'],
    read_speed: null,
    write_speed: null,
  });
  assert.deepEqual([big?.type, big?.rota, big?.model, big?.mountpoints], ['HDD', true, null, ['/mnt/big disk']]);
  assert.deepEqual(rest, []);
});

test('a measured speed is assigned to the disk it was measured on, and to no other', (t) => {
  const [fast, big] = diskInfo(fileTree(t, sys), { device: '253:1', speed: { read_speed: 3000, write_speed: 2000 } });
  assert.deepEqual([fast?.read_speed, fast?.write_speed, big?.read_speed], [3000, 2000, null]);
  const none = diskInfo(fileTree(t, sys), { device: '0:35', speed: { read_speed: 1, write_speed: 1 } });
  assert.ok(none.every((disk) => disk.read_speed === null));
});

test('device numbers are split as in glibc', () => {
  // makedev(8, 1) = 0x801; makedev(259, 5) = 0x10305; minor 0x123 = 0x100023 beside major 8.
  assert.deepEqual([0x801, 0x1_03_05, 0x10_08_23].map(deviceNumber), ['8:1', '259:5', '8:291']);
});
