import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { linkMeasurement } from '../../../coordinator/contract/cluster-network.ts';
import { testApp } from '../../support/app.ts';
import { at } from '../../coordinator/jobs/node.ts';
import { endJob, networkJob, networkResult, runAll } from '../../coordinator/network/network-job.ts';

const app = await testApp({ after }, { logLevel: 'info' });

describe('whole runs', { concurrency: true }, () => {
  for (const count of [2, 3, 5, 8]) {
    test(`${count} nodes measure every link once, and the result says so`, async () => {
      const run = await networkJob(app, count);
      await runAll(run);
      const links = (count * (count - 1)) / 2;
      for (const agent of run.agents) {
        assert.deepEqual(agent.ended, { outcome: 'completed', message: null });
        assert.equal(agent.slots.size, count - 1, 'each node has one slot with every other');
      }
      const job = await endJob(run);
      const result = networkResult(job);
      assert.equal(at(result, 'state'), 'completed', JSON.stringify(result).slice(0, 500));
      assert.equal(at(result, 'results', 'total_links_tested'), links);
      assert.equal(at(result, 'results', 'node_count'), count);
      // An expected rate is derived from the other links of one end: one with each node beside the two ends.
      const others = count === 2 ? null : count - 2;
      const rates = linkMeasurement
        .array()
        .parse(at(result, 'results', 'measurements'))
        .filter(({ attempt }) => attempt === 1)
        .map(({ expected_forward_rates, expected_reverse_rates }) => [expected_forward_rates, expected_reverse_rates]);
      assert.deepEqual(
        rates,
        Array.from({ length: links }, () => [others, others]),
      );
      assert.equal(at(job, 'state'), 'completed', JSON.stringify(at(job, 'judgement', 'findings')));
    });
  }
});
