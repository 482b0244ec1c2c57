import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergePieces } from '../../../agent/benchmarks/merge-pieces.ts';
import { ReadingLog } from '../../../agent/benchmarks/reading-log.ts';
import { benchmarks } from '../../../agent/kernels/registry.ts';
import { assembleQuickMark } from '../../../agent/kernels/assemble-quick-mark.ts';
import { parseLine } from '../../../agent/kernels/parse-line.ts';
import type { RunnerEvent, RunnerEventOf } from '../../../agent/kernels/runner-events.ts';
import { jsonSize } from '../../../coordinator/contract/bounded-json.ts';
import { MOST_POINTS, MOST_STRETCHES, sensorSeries } from '../../../coordinator/contract/sensor-series.ts';

function event(fields: Record<string, unknown>): RunnerEvent {
  return parseLine(JSON.stringify({ schema: 'gpumark.native/1', t_ms: 0, ...fields })) ?? assert.fail('no event');
}
const reading = (t_ms: number, fields: object = {}): RunnerEventOf<'telemetry'> =>
  event({ event: 'telemetry', device_id: 'g', t_ms, ...fields }) as RunnerEventOf<'telemetry'>;
const device = event({
  event: 'device',
  backend: 'cuda',
  vendor: 'nvidia',
  status: 'ok',
  detail: '',
  device_id: 'g',
  pci_id: null,
  name: 'Card X',
  memory_bytes: null,
  simulated: false,
  attributes: {},
});
const readingsOf = (events: readonly RunnerEvent[]) =>
  sensorSeries.parse(assembleQuickMark([device, ...events], 'g').details['readings']);

test('a result contains the sensor readings over time: null for a missing one, intervals of throttle reasons', () => {
  const series = readingsOf([
    reading(0, { power_watts: 100.04, temperature_celsius: 40, clock_mhz: 1980 }),
    reading(200, { power_watts: 400, clock_mhz: 1700.4, throttle: ['sw_power_cap'] }),
    reading(400, { power_watts: 410, temperature_celsius: 60, throttle: ['sw_power_cap'] }),
    reading(600, { temperature_celsius: 80, throttle: ['sw_power_cap', 'hw_thermal'] }),
    reading(800, { power_watts: 90, throttle: [] }),
  ]);
  assert.deepEqual(series, {
    seconds: [0, 0.2, 0.4, 0.6, 0.8],
    power_watts: [100, 400, 410, null, 90],
    temperature_celsius: [40, null, 60, 80, null],
    clock_mhz: [1980, 1700, null, null, null],
    throttled: [
      { first: 1, last: 2, reasons: ['sw_power_cap'] },
      { first: 3, last: 3, reasons: ['sw_power_cap', 'hw_thermal'] },
    ],
  });
  assert.equal('readings' in assembleQuickMark([device], 'g').details, false);
});

test('however long a run is, its points stay few; a merged one has the mean power, the highest temperature and every reason', () => {
  const log = new ReadingLog(4);
  const watts = [10, 20, 30, 40, 50, 60, 70];
  for (const [at, power_watts] of watts.entries())
    log.add(reading(at * 100, { power_watts, temperature_celsius: 30 + at, throttle: at === 1 ? ['hw_thermal'] : [] }));
  // Four became two of two each, the third pair came as one, and the seventh is still alone.
  assert.deepEqual(
    log
      .points()
      .map(({ t_ms, power_watts, temperature_celsius, throttle }) => [
        t_ms,
        power_watts,
        temperature_celsius,
        throttle,
      ]),
    [
      [0, 15, 31, ['hw_thermal']],
      [200, 35, 33, []],
      [400, 55, 35, []],
      [600, 70, 36, []],
    ],
  );
  const long = new ReadingLog(MOST_POINTS);
  for (let at = 0; at < 100_000; at += 1) long.add(reading(at * 200, { power_watts: 699.9, clock_mhz: 1980 }));
  const points = long.points();
  assert.ok(points.length >= MOST_POINTS / 2 && points.length <= MOST_POINTS, String(points.length));
});

test('the sensor readings in a result are at most the 7 KiB that the size limits assume', () => {
  const points = Array.from({ length: MOST_POINTS }, (_, at) =>
    reading(1000 + at * 400, {
      power_watts: 699.9,
      temperature_celsius: 79.5,
      clock_mhz: 1980,
      throttle: ['sw_power_cap'],
    }),
  );
  const { bytes } = jsonSize(readingsOf(points), 6);
  assert.ok(bytes < 7 * 1024, String(bytes));
});

test('a device whose throttle reasons change with every reading keeps its points, and its intervals stay few', () => {
  const reasons = (at: number): string[] => (at % 2 === 0 ? ['sw_power_cap'] : at % 4 === 1 ? ['hw_thermal'] : []);
  const points = Array.from({ length: MOST_POINTS }, (_, at) =>
    reading(at * 200, { power_watts: 600 + (at % 9), temperature_celsius: 80, throttle: reasons(at) }),
  );
  const series = readingsOf(points);
  assert.equal(series.power_watts[1], 601);
  assert.equal(new Set(series.power_watts).size, 9);
  assert.ok(series.throttled.length <= MOST_STRETCHES, String(series.throttled.length));
  assert.deepEqual(series.throttled, [{ first: 0, last: MOST_POINTS - 1, reasons: ['sw_power_cap', 'hw_thermal'] }]);
  const { members } = jsonSize(series, 6);
  assert.ok(members < 1700, String(members));
});

test('every reading of a quick run is in its result as it was read: five a second for 51 s are not merged', () => {
  const log = new ReadingLog(MOST_POINTS);
  const readings = Array.from({ length: MOST_POINTS - 1 }, (_, at) =>
    reading(at * 200, {
      power_watts: 300 + (at % 97),
      temperature_celsius: 40 + (at % 31),
      clock_mhz: 1900 + (at % 7),
    }),
  );
  for (const one of readings) log.add(one);
  assert.deepEqual(log.points(), readings);
  const series = readingsOf(mergePieces([[device, ...log.points()]]));
  assert.deepEqual(
    series.power_watts,
    readings.map(({ power_watts }) => power_watts),
  );
  const quick = Object.values(benchmarks).reduce((sum, { seconds }) => sum + seconds.quick, 0);
  assert.ok(5 * quick < MOST_POINTS, `all benchmarks of the quick tier are ${quick} s`);
});

test('the pieces of a soak follow each other in time', () => {
  const piece = (seconds: number) => [
    device,
    event({ event: 'summary', exit_code: 0, seconds, contended: false, contention_ratio: 1 }),
    reading(100, { power_watts: 5 }),
    reading(600, { power_watts: 6 }),
  ];
  assert.deepEqual(
    readingsOf(mergePieces([piece(10), piece(7), piece(1)])).seconds,
    [0.1, 0.6, 10.1, 10.6, 17.1, 17.6],
  );
});
