import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inPciOrder } from '../../../agent/kernels/list-devices.ts';

const card = (backend: 'cuda' | 'rocm' | 'cpu', pci_id: string | null) => ({ backend, pci_id });

test('cards are numbered by their PCI addresses, whatever the order of the driver', () => {
  const shuffled = ['0000:9b:00.0', '0000:1b:00.0', '0001:03:00.0', '0000:1b:00.1', '0000:AA:00.0'];
  assert.deepEqual(
    inPciOrder(shuffled.map((address) => card('cuda', address))).map(({ pci_id }) => pci_id),
    ['0000:1b:00.0', '0000:1b:00.1', '0000:9b:00.0', '0000:AA:00.0', '0001:03:00.0'],
  );
  // As numbers: a domain of five digits comes after all of four.
  const domains = [card('cuda', '10000:01:00.0'), card('cuda', '0002:01:00.0')];
  assert.deepEqual(inPciOrder(domains), domains.toReversed());
});

test('each backend and each card without an address keeps its place', () => {
  const listed = [
    card('cpu', null),
    card('cuda', '0000:20:00.0'),
    card('cuda', null),
    card('cuda', '0000:10:00.0'),
    card('rocm', '0000:05:00.0'),
    card('rocm', 'not an address'),
  ];
  const [cpu, later, blank, earlier, ...rocm] = listed;
  assert.deepEqual(inPciOrder(listed), [cpu, earlier, blank, later, ...rocm]);
  // Slices of one card have its address: they stay in the order of the driver.
  const slices = ['a', 'b'].map((device_id) => ({ ...card('cuda', '0000:10:00.0'), device_id }));
  assert.deepEqual(inPciOrder(slices), slices);
});
