import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'node:test';
import { parse } from 'yaml';
import { deploy } from '../../e2e/deployment.ts';
import { buildDrivers, oneSmallCard, SHORTENED } from '../../e2e/simulated-machine.ts';
import { root } from '../../support/source-files.ts';

const run = promisify(execFile);
const agent = join(root, 'dist/gpumark-agent');

interface IndexedJob {
  spec: {
    completions: number;
    parallelism: number;
    completionMode: string;
    template: {
      spec: {
        containers: {
          args: string[];
          env: { name: string; valueFrom: { fieldRef: { fieldPath: string } } }[];
          volumeMounts: { name: string; mountPath: string }[];
        }[];
      };
    };
  };
}

/**
 * No kubelet ran this: the test starts what the manifest says as processes of this machine, one for each index, each with
 * a simulated card.
 */
test(
  'the pods of the Indexed Job, started as processes (no kubelet): two nodes of one token deliver',
  { skip: existsSync(agent) ? false : 'needs dist/gpumark-agent: make agent' },
  async (t) => {
    await buildDrivers();
    const deployment = await deploy(t);
    const { id, token } = await deployment.customer.createJob({ benchmarks: ['quick_mark'], node_count: 2 });
    const text = readFileSync(join(root, 'containers/kubernetes/benchmark-job.yaml'), 'utf8');
    const { spec } = parse(text.replaceAll('JOB_ID', id).replaceAll('NODE_COUNT', '2')) as IndexedJob;
    assert.deepEqual([spec.completionMode, spec.completions, spec.parallelism], ['Indexed', 2, 2]);
    const [container] = spec.template.spec.containers;
    assert.ok(container);
    const pods = Array.from({ length: spec.completions }, async (_, index) => {
      const folder = join(deployment.folder, `pod-${index}`);
      const inPod = (path: string) => join(folder, path);
      for (const { mountPath } of container.volumeMounts)
        await mkdir(inPod(mountPath), { recursive: true, mode: 0o700 });
      await writeFile(inPod('/run/secrets/gpumark/token'), token, { mode: 0o400 });
      const fields: Record<string, string> = {
        'spec.nodeName': `node-${index}`,
        'metadata.name': `gpumark-${id}-${index}`,
      };
      const env = Object.fromEntries(
        container.env.map(({ name, valueFrom }) => [name, fields[valueFrom.fieldRef.fieldPath] ?? 'no such field']),
      );
      const args = container.args.map((word) => (word.startsWith('/') ? inPod(word) : word));
      return run(agent, [...args, ...SHORTENED], {
        // As the image and the kubelet set them; two pods on one machine tell themselves apart by the last.
        env: {
          ...env,
          ...oneSmallCard,
          JOB_COMPLETION_INDEX: String(index),
          GPUMARK_STATE_DIR: inPod('/var/lib/gpumark'),
          TMPDIR: inPod('/tmp'),
          GPUMARK_MACHINE_ID: `node-${index}`,
        },
      }).then(
        () => ({ code: 0, stderr: '' }),
        ({ code = 1, stderr = '' }: { code?: number; stderr?: string }) => ({ code, stderr }),
      );
    });
    for (const { code, stderr } of await Promise.all(pods))
      assert.ok(code === 0 || code === 3, `exit code ${code}: ${stderr}`);
    const job = await deployment.customer.waitForReport(id);
    assert.match(job.state, /^completed/);
    assert.equal(job.tasks.length, 2);
    assert.ok(job.tasks.every((task) => task.benchmark_results['quick_mark']));
  },
);
