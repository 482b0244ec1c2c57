import { randomUUID } from 'node:crypto';
import { agentPaths } from '../../../coordinator/contract/agent-protocol.ts';
import { ProtocolNode, type Answer } from '../../e2e/protocol-node.ts';
import type { Attack, Finding } from '../attack.ts';
import type { Site } from '../site.ts';

/** What an honest node of the harness measures, in TFLOPS. */
const HONEST = 610;
const FORGED = 9999;

/** One node of a job against another: they share the job's token, and the liar has learned the other's ids. */
export const attack: Attack = {
  title: 'replace the figure of another node of the same job, or speak for it',
  run: async (site) => {
    const { honest, liar, jobId, task } = await twoNodes(site);
    const findings = [
      await refused(liar, honest, jobId, 'its own secret and the epoch of the task', honest.epoch),
      await refused(liar, honest, jobId, 'epoch 2147483647', 2_147_483_647),
      ...(await otherCalls(liar, honest)),
      await takeover(site, honest),
      await hiddenIds(site, honest),
    ];
    const ended = await honest.complete();
    if (ended.status !== 200) throw new Error(`the honest node could not complete: ${JSON.stringify(ended.body)}`);
    findings.push(
      await refused(liar, honest, jobId, 'a later attempt after its end', honest.epoch),
      await ownReplacement(honest, jobId),
    );
    const shown = await task();
    findings.push({
      tried: 'the figure that the customer sees after all this',
      answer: `${String(shown)} TFLOPS, measured ${HONEST}`,
      held: shown === HONEST,
    });
    return findings;
  },
};

async function twoNodes({ hostile, baseUrl }: Site) {
  const made = await hostile.call('POST', '/api/gpu-mark/v1/jobs', {
    body: { benchmarks: ['quick_mark'], node_count: 2 },
  });
  const { id: jobId, token } = made.body as { id: string; token: string };
  const [honest, liar] = [new ProtocolNode(baseUrl, token), new ProtocolNode(baseUrl, token)];
  for (const answer of [await honest.register(), await liar.register()]) demand(answer);
  demand(await honest.heartbeat('measuring'));
  demand(await honest.results(honest.quickMark(jobId, new Date(Date.now() - 60_000))));
  const task = async (): Promise<unknown> => {
    const answer = await hostile.call('GET', `/api/gpu-mark/v1/tasks/${honest.taskId}`);
    const { benchmark_results } = answer.body as {
      benchmark_results: Record<string, { results: { test_results: { bf16_tflops: number }[] } }>;
    };
    return benchmark_results['quick_mark']?.results.test_results[0]?.bf16_tflops;
  };
  return { honest, liar, jobId, token, task };
}

function demand({ status, body }: Answer): void {
  if (status !== 200) throw new Error(`an honest call was answered ${status} ${JSON.stringify(body)}`);
}

async function refused(
  liar: ProtocolNode,
  honest: ProtocolNode,
  jobId: string,
  how: string,
  epoch: number,
): Promise<Finding> {
  const answer = await liar.results({ ...honest.quickMark(jobId, new Date(), { attempt: 9, bf16: FORGED }), epoch });
  return {
    tried: `a result of ${FORGED} TFLOPS in another node's name, with ${how}`,
    answer: `${answer.status}`,
    held: answer.status === 403 || answer.status === 409,
  };
}

async function otherCalls(liar: ProtocolNode, { taskId: task_id, epoch }: ProtocolNode): Promise<Finding[]> {
  const calls: [string, object][] = [
    [agentPaths.heartbeat, { task_id, epoch, phase: 'uploading' }],
    [agentPaths.complete, { task_id, epoch, warnings: ['forged'] }],
    [agentPaths.fail, { task_id, epoch, state: 'failed', message: 'forged' }],
  ];
  return Promise.all(
    calls.map(async ([path, body]) => {
      const { status } = await liar.post(path, body);
      return { tried: `POST ${path} in another node's name`, answer: `${status}`, held: status === 403 };
    }),
  );
}

async function takeover({ baseUrl }: Site, honest: ProtocolNode): Promise<Finding> {
  const thief = new ProtocolNode(baseUrl, honest.token, honest.machineUuid);
  const { status } = await thief.register();
  return { tried: "registering as another node's machine while it lives", answer: `${status}`, held: status === 409 };
}

async function hiddenIds({ hostile }: Site, { token, machineUuid, taskSecret }: ProtocolNode): Promise<Finding> {
  const headers = { 'x-task-secret': `gmts_${randomUUID().replaceAll('-', '').padEnd(43, '0')}` };
  const answer = await hostile.call('GET', agentPaths.job, { bearer: token, headers });
  const text = JSON.stringify(answer.body);
  return {
    tried: "GET agent/job, for another node's machine or secret",
    answer: `${answer.status}, ${text.length} bytes`,
    held: !text.includes(machineUuid) && (taskSecret === null || !text.includes(taskSecret)),
  };
}

/** With the node's own secret: taken, kept aside, shown, not counted. */
async function ownReplacement(honest: ProtocolNode, jobId: string): Promise<Finding> {
  const { status, body } = await honest.results(honest.quickMark(jobId, new Date(), { attempt: 10, bf16: FORGED }));
  return {
    tried: 'replacing its own figure after the end',
    answer: `${status}, kept aside: ${String(body['kept_aside'])}`,
    held: status === 200 && body['kept_aside'] === true,
  };
}
