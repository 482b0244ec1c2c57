import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOpenPorts } from '../../../agent/inventory/collect-inventory.ts';
import { fileTree } from '../support/file-tree.ts';

const header = '  sl  local_address rem_address   st tx_queue rx_queue';

test('listening ports are counted once over both families, connections not at all', (t) => {
  const files = fileTree(t, {
    'proc/net/tcp': [
      header,
      '   0: 0100007F:1F90 00000000:0000 0A 0:0',
      '   1: 00000000:0016 00000000:0000 0A 0:0',
      '   2: 0100007F:1F91 0100007F:1F90 01 0:0',
    ].join('\n'),
    'proc/net/tcp6': [header, '   0: 00000000000000000000000000000000:0016 0:0000 0A 0:0'].join('\n'),
  });
  assert.equal(countOpenPorts(files), 2);
});

test('if the kernel provides nothing the count is unknown, not zero', (t) => {
  assert.equal(countOpenPorts(fileTree(t, {})), null);
});
