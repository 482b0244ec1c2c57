import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assembleQuickMark } from '../../../agent/kernels/assemble-quick-mark.ts';
import {
  type DeviceEvent,
  type ResultEvent,
  type RunnerEvent,
  runnerSchema,
} from '../../../agent/kernels/runner-events.ts';
import { jsonSize } from '../../../coordinator/contract/bounded-json.ts';
import { bodyLimit } from '../../../coordinator/contract/body-limit.ts';
import { MOST_POINTS } from '../../../coordinator/contract/sensor-series.ts';
import { sizeCaps } from '../../../coordinator/contract/size-caps.ts';
import { root } from '../../support/source-files.ts';

const folder = join(root, 'native/results');
interface RealCards {
  rounds: { turns: { run: { devices: DeviceEvent[]; results: ResultEvent[] } }[] }[];
}
/** Every run of a real card that its device check wrote. */
const runs = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as RealCards).rounds)
  .flatMap(({ turns }) => turns.map(({ run }) => run));

const readings = (device_id: string): RunnerEvent[] =>
  Array.from({ length: MOST_POINTS }, (_, index) => ({
    schema: runnerSchema,
    event: 'telemetry',
    t_ms: 1234.5 * index,
    device_id,
    power_watts: 687.123,
    temperature_celsius: 61.5,
    clock_mhz: 1980,
    memory_clock_mhz: 3201,
    memory_temperature_celsius: 70,
    throttle: ['sw_power_cap'],
  }));

/** Facts of health that the files lack: those of one of eight simulated cards on switches, measured. */
const NEWER_FACTS = 3 * 1024;
/** A verdict of usual length for each figure, and figures with all at work. */
const VERDICTS = 22 * 160;

const bytes = runs.map(({ devices: [device], results }) => {
  assert.ok(device !== undefined);
  const record = assembleQuickMark([device, ...results, ...readings(device.device_id)], device.device_id);
  const { bytes: told, members } = jsonSize(record, sizeCaps.device.depth);
  assert.ok(members < 0.8 * sizeCaps.device.members, `${members} members`);
  return told + NEWER_FACTS + VERDICTS;
});
const largest = Math.max(...bytes);
const CELL = 225;
const nodeOf = (gpus: number): number => gpus * largest + gpus * (gpus - 1) * CELL;

test('the record of a real card with the facts and verdicts of today takes at most two thirds of the cap', () => {
  assert.ok(runs.length >= 6, `${runs.length} runs`);
  // What a cap of 64 KiB had no room for beside the facts of a fault.
  assert.ok(largest > 56 * 1024, `${largest} bytes`);
  assert.ok(largest < (2 / 3) * sizeCaps.device.bytes, `${largest} bytes`);
});

test('what a node, a task and a job may take has room for 64 such cards, for four configurations of them and for 256 nodes of eight', () => {
  assert.ok(nodeOf(64) < sizeCaps.resultBytes, `${nodeOf(64)} bytes`);
  assert.ok(4 * nodeOf(64) < sizeCaps.taskBytes && 20 * nodeOf(16) < sizeCaps.taskBytes);
  assert.ok(256 * nodeOf(8) < sizeCaps.jobBytes, `${256 * nodeOf(8)} bytes`);
  assert.ok(sizeCaps.resultBytes + sizeCaps.inventory.bytes < bodyLimit.upload);
});
