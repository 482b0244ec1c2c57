import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { registry } from '../support/registry.ts';
import type { SimulatedVendor } from '../simulated-driver.ts';
import { backendOf, runOn, vendors } from '../simulated-gpus.ts';

/** Launches that succeed before the card is lost: each of the first ninety, when own matrix kernels are tried. */
const OF_TRIALS = Array.from({ length: 91 }, (_, launches) => launches);
const OF_OTHERS = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 377];

interface Loss {
  vendor: SimulatedVendor;
  benchmark: string;
  launches: number;
  args: string[];
}

/** What went wrong with the runs in which the card was lost; a run that needs fewer launches ends well. */
async function faultsOf(losses: readonly Loss[]): Promise<string[]> {
  const faults: string[] = [];
  const waiting = [...losses];
  const work = async (): Promise<void> => {
    for (let loss = waiting.pop(); loss !== undefined; loss = waiting.pop()) {
      const { vendor, benchmark, launches, args } = loss;
      const machine = { drivers: [vendor], sim: { FAULT: `card-lost:${launches}` } };
      const command = ['run', '--device', backendOf[vendor], '--benchmarks', benchmark, ...args];
      const said = await runOn(machine, command).then(
        ({ exitCode, codes }) => `${exitCode} ${codes.join()}`,
        (error: unknown) => String(error),
      );
      if (said !== '4 device_lost' && said !== '0 ') faults.push(`${vendor} ${benchmark} ${launches}: ${said}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return faults;
}

for (const vendor of vendors) {
  test(`${vendor}: a card lost at any launch of the trial of own kernels is device_lost and a summary`, async () => {
    const losses = OF_TRIALS.map((launches) => ({
      vendor,
      benchmark: 'gemm_fp16',
      launches,
      args: ['--engine', 'own'],
    }));
    assert.deepEqual(await faultsOf(losses), []);
  });

  test(`${vendor}: so is one lost in any other benchmark`, async () => {
    const losses = registry.benchmarks
      .filter(({ spans }) => !spans)
      .flatMap(({ id }) => OF_OTHERS.map((launches) => ({ vendor, benchmark: id, launches, args: [] })));
    assert.deepEqual(await faultsOf(losses), []);
  });
}
