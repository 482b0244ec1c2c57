import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { makeUser, signInAgain } from '../../support/client.ts';
import { html } from '../../../coordinator/portal/frame/html.ts';
import { copiesOfNode } from '../../../coordinator/portal/live/gpu-copies.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { browser } from './browser-session.ts';
import { eightGpus } from './world.ts';

test('the states of a job have their times: when it started, how it ended, and how long it took', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const user = await makeUser(app);
  const job = await makeJob(app, user, { node_count: 1 });
  const steps = async (): Promise<string> => {
    const it = browser(app);
    await it.signIn(user.email, user.password);
    const page = await (await it.get(`/jobs/${job.id}`)).text();
    const list = /<ol class="steps">[^]*?<\/ol>/.exec(page)?.[0] ?? '';
    return list.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  };
  assert.match(await steps(), /End when its nodes are done/);
  const node = new Node(app, job);
  app.clock.advance({ minutes: 2 });
  await node.register();
  await node.beat();
  assert.match(await steps(), /started 2026-11-21 12:02:00 UTC/);
  app.clock.advance({ minutes: 3, seconds: 20 });
  await signInAgain(app, user);
  await node.results(node.result(eightGpus(node.machineUuid)));
  await node.complete();
  assert.match(await steps(), /Completed with warnings 2026-11-21 12:05:20 UTC ?, 3 min 20 s after its start/);
});

test('copies between more GPUs than fit in a table are shown in blocks, each with its lowest value', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `GPU-${index}`);
  const copies = ids.flatMap((source, from) =>
    ids.flatMap((target, to) =>
      from === to
        ? []
        : [
            {
              source_gpu: source,
              target_gpu: target,
              simplex_gbs: from === 2 && to === 9 ? 100 : 400,
              duplex_gbs: null,
              connection_type: 'NVLink',
              peer_access: true,
            },
          ],
    ),
  );
  const shown = (
    await html`${copiesOfNode({ copies, devices: ids.map((id) => ({ id, vendor: 'nvidia' })) }, null)}`
  ).toString();
  // 20 GPUs in blocks of two are ten rows; the pair from 2 to 9 is in the block of 2 and 3 to 8 and 9.
  assert.equal(shown.match(/<th scope="row">/g)?.length, 10);
  assert.match(shown, /▼ 100/);
  assert.match(shown, /every pair is in the files below/);
});

test('a GPU that took no part in the copies leaves the others their names', async () => {
  const cell = (source_gpu: string, target_gpu: string, simplex_gbs: number) => ({
    source_gpu,
    target_gpu,
    simplex_gbs,
    duplex_gbs: null,
    connection_type: 'NVLink',
    peer_access: true,
  });
  const copies = [cell('a', 'c', 400), cell('c', 'a', 100)];
  const devices = ['a', 'lost', 'c'].map((id) => ({ id, vendor: 'nvidia' }));
  const shown = (await html`${copiesOfNode({ copies, devices }, null)}`).toString();
  assert.match(shown, /GPU 2 → GPU 0, 100 GB\/s/);
  assert.doesNotMatch(shown, /GPU 1/);
});
