import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import type { SimulatedVendor } from '../simulated-driver.ts';
import { backendOf, runOn, vendors } from '../simulated-gpus.ts';
import { runStruck, sweepFaults, sweepsOf } from '../support/fault-sweep.ts';

/** Launches that succeed before the card is lost: each of the first ninety, when own matrix kernels are tried. */
const OF_TRIALS = Array.from({ length: 91 }, (_, launches) => launches);
/** Driver calls of a whole run that succeed before: drawn once, from the first to beyond the last. */
const OF_WHOLE_RUNS = [7, 130, 1_907, 4_421, 8_009, 17_681];
/** Paths of calls by which a device is found, named and opened, and some more. */
const TO_OPEN = 30;
/** Every so many paths of calls: `make soak` takes them all. */
const STEP = 89;

/** The runs that end otherwise, each with what it said; as many at a time as there are processors. */
async function wrongOf<Case>(cases: readonly Case[], run: (one: Case) => Promise<string | undefined>) {
  const waiting = [...cases];
  const wrong: string[] = [];
  const work = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const said = await run(one);
      if (said !== undefined) wrong.push(said);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return wrong;
}

async function lostInTrial(vendor: SimulatedVendor, launches: number): Promise<string | undefined> {
  const machine = { drivers: [vendor], sim: { FAULT: `card-lost:${launches}` } };
  const command = ['run', '--device', backendOf[vendor], '--benchmarks', 'gemm_fp16', '--engine', 'own'];
  const said = await runOn(machine, command).then(
    ({ exitCode, codes }) => `${exitCode} ${codes.join()}`,
    (error: unknown) => String(error),
  );
  return said === '4 device_lost' || said === '0 ' ? undefined : `${vendor} card-lost:${launches}: ${said}`;
}

for (const vendor of vendors) {
  test(`${vendor}: a card lost at any launch of the trial of own kernels is device_lost and a summary`, async () => {
    assert.deepEqual(await wrongOf(OF_TRIALS, (launches) => lostInTrial(vendor, launches)), []);
  });

  test(`${vendor}: so is one lost at any call of a run of all benchmarks`, async () => {
    const lost = { vendor, fault: 'call-lost', benchmark: 'all' } as const;
    const wrong = await wrongOf(OF_WHOLE_RUNS, async (calls) => (await runStruck(lost, String(calls))).wrong);
    assert.deepEqual(wrong, []);
  });

  test(`${vendor}: a call that fails while a device is found and opened is told as what it is, not as a card that is gone`, async () => {
    const cases = Array.from({ length: TO_OPEN }, (_, path) => path).flatMap((path) =>
      (['call-failure', 'call-out-of-memory'] as const).map((fault) => ({ path, fault })),
    );
    const wrong = await wrongOf(cases, async ({ path, fault }) => {
      return (await runStruck({ vendor, fault, benchmark: 'clock' }, `p${path}`)).wrong;
    });
    assert.deepEqual(wrong, []);
  });

  test(`${vendor}: a call or launch that is lost, fails or finds no memory never takes the run away`, async () => {
    const { runs, faults } = await sweepFaults(sweepsOf(vendor, STEP, (index) => (index * 23) % STEP));
    assert.deepEqual(faults, [], `of ${runs} runs`);
  });
}
