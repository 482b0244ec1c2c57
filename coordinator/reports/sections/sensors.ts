import { figureOf, type Device } from '../facts/devices.ts';
import { printNumber } from '../facts/print-number.ts';
import { heading, note } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table, type Cell } from '../layout/table.ts';
import { ink } from '../layout/theme.ts';

/** Bits of a throttle mask in words. */
const reasons: Record<string, string> = {
  sw_power_cap: 'power cap (normal)',
  hw_slowdown: 'hardware slowdown',
  hw_thermal: 'heat (hardware)',
  sw_thermal: 'heat (driver)',
  power_brake: 'power brake',
  current_limit: 'limit of current (normal)',
};
const NORMAL = new Set(['sw_power_cap', 'current_limit']);

/**
 * For each device the source of its energy figure, how that agrees with the integrated power, what throttled the device,
 * and its memory errors. Left out if no device recorded any of this: processors record their sensors differently.
 */
export function sensorsSection(paper: Paper, devices: readonly Device[]): void {
  const isTold = devices.some((device) => 'scope' in energyOf(device) || Array.isArray(runOf(device)['throttle']));
  if (!isTold || !heading(paper, 'Power and energy: sources', 70)) return;
  table(
    paper,
    [
      { title: 'Device', share: 11 },
      { title: 'Source of the energy', share: 26, maxLines: 3 },
      { title: 'Scope', share: 9 },
      { title: 'By counter Wh', share: 11, align: 'right' },
      { title: 'By power Wh', share: 11, align: 'right' },
      { title: 'Ratio', share: 8, align: 'right' },
      { title: 'Held back by', share: 24, maxLines: 4 },
      { title: 'ECC errors corrected / not', share: 15, align: 'right' },
    ],
    devices.map(rowOf),
  );
  note(
    paper,
    'Ratio: counter / power integrated over the same time. More than 10 % apart they are marked; the source says which of them the figure is.',
  );
}

const energyOf = (device: Device): Record<string, unknown> => figureOf(device, 'energy_consumption_wh')?.how ?? {};
const runOf = (device: Device): Record<string, unknown> => figureOf(device, 'temperature_centigrade')?.how ?? {};

function rowOf(device: Device): Cell[] {
  const energy = energyOf(device);
  const run = runOf(device);
  const reason = figureOf(device, 'energy_consumption_wh')?.reason ?? null;
  const distrusted = (energy['counter_agrees'] ?? energy['trusted']) === false;
  return [
    device.name,
    { text: word(energy['source']) ?? (reason === null ? 'not told' : `none: ${reason}`) },
    word(energy['scope']) ?? '–',
    numberOf(energy['counter_wh']),
    numberOf(energy['integrated_wh']),
    {
      text: distrusted ? `! ${numberOf(energy['ratio'])}` : numberOf(energy['ratio']),
      color: distrusted ? ink.warn : ink.text,
    },
    heldBackBy(run['throttle']),
    `${countOf(run['ecc_corrected_during_run'])} / ${countOf(run['ecc_uncorrected_during_run'])}`,
  ];
}

function heldBackBy(throttle: unknown): Cell {
  const text = heldBackWords(throttle);
  return text.startsWith('!') ? { text, color: ink.warn } : text;
}

/** A throttle mask in words, with a mark if it holds more than the normal power cap and current limit. */
export function heldBackWords(throttle: unknown): string {
  if (!Array.isArray(throttle)) return 'not told';
  const bits = throttle.filter((bit) => typeof bit === 'string');
  if (bits.length === 0) return 'nothing seen';
  const text = [...new Set(bits.map((bit) => reasons[bit] ?? bit.replaceAll('_', ' ')))].join(', ');
  return bits.every((bit) => NORMAL.has(bit)) ? text : `! ${text}`;
}

const word = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const numberOf = (value: unknown): string => printNumber(typeof value === 'number' ? value : null);
const countOf = (value: unknown): string => (typeof value === 'number' ? String(value) : '–');
