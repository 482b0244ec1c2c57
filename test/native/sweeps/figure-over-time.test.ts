import assert from 'node:assert/strict';
import { test } from 'node:test';
import { execa } from 'execa';
import { built } from '../built-runner.ts';
import { simulatedDriver } from '../simulated-driver.ts';

/**
 * The card counts the products that it executes and the time on its own clock; the runner knows event times only. The
 * card idles between products and lowers its clock at a power cap, so what it saves in a gap it spends in a burst.
 */
test('for 1,000 seeded loads with idle gaps and power caps the figure is operations over time within 0.2 %', async () => {
  const env = { LD_LIBRARY_PATH: await simulatedDriver('nvidia'), GPUMARK_SIM_MEMORY_MIB: '32' };
  const { stdout, stderr, exitCode } = await execa(await built('unit-tests'), ['load', '1000'], { env, reject: false });
  assert.equal(exitCode, 0, stderr);
  const found = JSON.parse(stdout) as Record<string, number>;
  assert.equal(found['loads'], 1000);
  assert.ok((found['worst'] ?? 1) <= 0.002, `off by ${found['worst']}: ${stderr}`);
  assert.ok((found['worst_counted'] ?? 1) <= 0.002, 'products and seconds that count are those of the card');
  // The same stretches judge a median as wrong: were it the figure, this test would fail.
  assert.ok((found['medians_off'] ?? 0) > 300, `${found['medians_off']} medians differ by more`);
});
