import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceNames, devicesWords, inDeviceNames, placesAtStart } from '../../../coordinator/figures/device-name.ts';

const cards = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ vendor: 'nvidia', device_id: `GPU-${at}a` }));

test('a card is called by its place from 0, the only processor by what it is', () => {
  assert.deepEqual(deviceNames(cards(2)), ['GPU 0', 'GPU 1']);
  assert.deepEqual(deviceNames([...cards(1), { vendor: 'cpu' }]), ['GPU 0', 'processor']);
  assert.deepEqual(deviceNames([{ vendor: 'cpu' }, { vendor: 'cpu' }]), ['processor 0', 'processor 1']);
});

test('several devices are named in their order, each once, and all of them by their number', () => {
  const of = (...places: number[]): string => devicesWords(places, cards(8));
  assert.equal(of(3), 'GPU 3');
  assert.equal(of(5, 2, 5), 'GPU 2 and GPU 5');
  assert.equal(of(7, 0, 3, 5), 'GPU 0, GPU 3, GPU 5 and GPU 7');
  assert.equal(of(0, 1, 2, 3, 4, 5, 6, 7), 'all 8 GPUs');
  assert.equal(devicesWords([0, 1], cards(2)), 'all 2 GPUs');
  assert.equal(devicesWords([0], [{ vendor: 'cpu' }]), 'processor');
});

test('ids in the texts of drivers become names, but not as parts of longer ids', () => {
  const two = [
    { vendor: 'nvidia', device_id: 'GPU-1' },
    { vendor: 'nvidia', device_id: 'GPU-12' },
  ];
  assert.equal(inDeviceNames('GPU-12: lost beside GPU-1 (GPU-1.)', two), 'GPU 1: lost beside GPU 0 (GPU 0.)');
  assert.equal(inDeviceNames('MGPU-1 and GPU-123', two), 'MGPU-1 and GPU-123');
});

test('the devices that a warning names are read back from it, whatever follows', () => {
  for (const places of [[0], [2, 5], [0, 3, 5, 7], [0, 1, 2, 3, 4, 5, 6, 7]]) {
    const words = devicesWords(places, cards(8));
    for (const rest of [': spread above 5 %', ' fell off the bus'])
      assert.deepEqual(placesAtStart(`${words}${rest}`, 8), { places, length: words.length });
  }
  assert.deepEqual(placesAtStart('processor: noise', 1), { places: [0], length: 9 });
  for (const other of ['GPU x GPU copies: failed', 'all at once: slower', 'copy GPU 0 to GPU 2: slow', 'GPUs: none'])
    assert.equal(placesAtStart(other, 8), null, other);
});
