import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtMemory, configId } from '../../../agent/inventory/config-id.ts';
import { processorModel } from '../../../agent/inventory/collect-inventory.ts';
import { fileTree } from '../support/file-tree.ts';

const GIB = 2 ** 30;
const card = (name: string, memory_bytes: number | null) => ({ name, memory_bytes });
const machine = {
  arch: 'x64',
  processor: 'P',
  processors: 64,
  hardware_vendor: 'V',
  hardware_model: 'M',
  memory_bytes: 503 * GIB,
  cards: [card('A', 79.1 * GIB), card('B', 39.4 * GIB)],
};

test('memory kept back by kernel or firmware, a driver that reports a card differently, and the order of cards change nothing', () => {
  const rebooted = {
    ...machine,
    memory_bytes: 502.4 * GIB,
    cards: [card('B', 39.6 * GIB), card('A', 79.6 * GIB)],
  };
  assert.equal(configId(rebooted), configId(machine));
});

test('another processor, amount of memory, card, or number of cards is another configuration', () => {
  const others = [
    { ...machine, processor: 'Q' },
    { ...machine, processors: 128 },
    { ...machine, memory_bytes: 251 * GIB },
    { ...machine, cards: machine.cards.slice(1) },
    { ...machine, cards: [card('A', 39.4 * GIB), card('B', 39.4 * GIB)] },
    { ...machine, cards: [...machine.cards, card('B', 39.4 * GIB)] },
  ];
  assert.equal(new Set([machine, ...others].map(configId)).size, 7);
});

test('reported memory is rounded up to a size that is sold, and reserved memory never crosses an edge', () => {
  for (const [reported, built] of [
    [15.4, 16],
    [15.5, 16],
    [15.99, 16],
    [16, 16],
    [16.01, 20],
    [13.99, 14],
    [14.01, 16],
    [0.46, 0.5],
    [23.54, 24],
  ] as const)
    assert.equal(builtMemory(reported * GIB), built, `${reported}`);
  // Sizes of modules and of virtual machines, with 1 to 6 % kept back.
  for (const size of [
    0.5, 1, 2, 3.75, 4, 7.5, 8, 12, 15, 16, 24, 30, 32, 48, 60, 64, 96, 110, 128, 192, 240, 256, 384,
  ]) {
    const [most, least] = [size * 0.99, size * 0.94].map((gib) => builtMemory(gib * GIB));
    assert.equal(most, least, `${size}`);
  }
});

test('an arm64 processor without a name is identified by implementer and part of its kinds of cores', (t) => {
  const core = (part: string): string => `BogoMIPS\t: 50\nCPU implementer\t: 0x41\nCPU part\t: ${part}`;
  const of = (text: string): string | null => processorModel(fileTree(t, { 'proc/cpuinfo': text }));
  assert.equal(of([core('0xd0c'), core('0xd0c')].join('\n\n')), '0x41/0xd0c');
  assert.equal(of([core('0xd4d'), core('0xd05'), core('0xd4d')].join('\n\n')), '0x41/0xd05 0x41/0xd4d');
  assert.equal(of('model name\t: AMD EPYC\nCPU part\t: 1'), 'AMD EPYC');
  assert.equal(of('model name\t: unknown'), null);
  assert.equal(processorModel(fileTree(t, {})), null);
});
