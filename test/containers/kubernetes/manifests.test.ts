import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { launchLines } from '../../../coordinator/jobs/job-token.ts';
import { readConfig } from '../../../coordinator/platform/config.ts';
import { root } from '../../support/source-files.ts';
import { programPath } from '../../support/debian-packages.ts';
import { run } from '../image-tools.ts';
import { faultsOf, type Manifest } from './strict-manifest.ts';

const folder = join(root, 'containers/kubernetes');
const documentsOf = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS() as Manifest;
  });
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const manifestsIn = (part: string): string[] =>
  readdirSync(join(folder, part)).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
const rendered = read('benchmark-job.yaml')
  .replaceAll('JOB_ID', '1882481275750671769')
  .replaceAll('NODE_COUNT', '3')
  .replaceAll('AGENT_IMAGE', 'localhost/gpumark-agent:latest');

interface PodSpec {
  hostNetwork?: boolean;
  securityContext: Record<string, unknown>;
  containers: { name: string; securityContext: Record<string, unknown> }[];
}

describe('Kubernetes manifests', () => {
  test('every field is one that Kubernetes has, of its type, and none that it demands is missing', () => {
    const files = ['base', 'overlay'].flatMap((part) => manifestsIn(part).map((name) => read(`${part}/${name}`)));
    const manifests = [...files, rendered].flatMap(documentsOf);
    assert.ok(manifests.length >= 8, `${manifests.length} manifests`);
    assert.deepEqual(manifests.flatMap(faultsOf), []);
  });

  test('the check finds a wrong type, a missing and an unknown field', () => {
    const [job] = documentsOf(rendered) as [Manifest & { spec: { template: { spec: PodSpec } } }];
    const broken = structuredClone(job);
    Object.assign(broken.spec, { completions: 'three' });
    const [container] = broken.spec.template.spec.containers as [PodSpec['containers'][number] & { name?: string }];
    Object.assign(container.securityContext, { readOnlyRootFs: true });
    delete (container as { name?: string }).name;
    const faults = faultsOf(broken).join('\n');
    assert.match(faults, /completions must be integer/);
    assert.match(faults, /required property name/);
    assert.match(faults, /readOnlyRootFs: no such field in V1SecurityContext/);
    // A placeholder that was not filled in is not a number.
    assert.match(faultsOf(documentsOf(read('benchmark-job.yaml'))[0] as Manifest).join('\n'), /must be integer/);
  });

  test('pods are restricted: no root, no capability, no privilege gained, read-only root, a filter of system calls', () => {
    const all = [...documentsOf(read('base/coordinator.yaml')), ...documentsOf(rendered)];
    const pods = all.flatMap(({ spec }) => {
      const template = (spec as { template?: { spec: PodSpec } } | undefined)?.template;
      return template ? [template.spec] : [];
    });
    assert.equal(pods.length, 2);
    for (const pod of pods) {
      assert.equal(pod.securityContext['runAsNonRoot'], true);
      assert.deepEqual(pod.securityContext['seccompProfile'], { type: 'RuntimeDefault' });
      for (const { securityContext } of pod.containers)
        assert.deepEqual(securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  test(
    'the overlay is built by kustomize into what is valid too, with its replicas, image and settings',
    {
      skip: programPath('kubectl') === null ? 'needs kubectl 1.27 or newer' : false,
    },
    async () => {
      const { stdout } = await run('kubectl', ['kustomize', join(folder, 'overlay')]);
      const manifests = documentsOf(stdout);
      assert.deepEqual(manifests.flatMap(faultsOf), []);
      const find = (kind: string) => manifests.find((manifest) => manifest.kind === kind) as Manifest;
      const deployment = find('Deployment')['spec'] as {
        replicas: number;
        template: { spec: { containers: { image: string; envFrom: { configMapRef?: { name: string } }[] }[] } };
      };
      assert.equal(deployment.replicas, 3);
      const [container] = deployment.template.spec.containers;
      assert.equal(container?.image, 'registry.example.com/gpumark-coordinator:0.1.0');
      const settings = find('ConfigMap');
      assert.equal(container.envFrom[0]?.configMapRef?.name, settings.metadata.name);
      // The secret brings the rest.
      const secret = {
        DATABASE_URL: 'postgres://a@b/c',
        DATABASE_DIRECT_URL: 'postgres://a@d/c',
        AWS_ACCESS_KEY_ID: 'a',
        AWS_SECRET_ACCESS_KEY: 'b',
      };
      const config = readConfig({ ...(settings['data'] as Record<string, string>), ...secret });
      assert.equal(config.publicUrl, 'https://gpumark.example.com');
      assert.ok(config.database.isPooled && config.s3?.bucket === 'gpumark');
    },
  );

  test('the launch line of a job fills the template in', async () => {
    const image = 'registry.example.com/gpumark-agent@sha256:00';
    const { kubernetes } = launchLines({ jobId: '12', token: 'eyJx', nodeCount: 5, image });
    const sed = /&& (sed .*) \| kubectl create -f -$/.exec(kubernetes)?.[1] ?? '';
    const { stdout } = await run('bash', ['-c', sed], { cwd: folder });
    const [job] = documentsOf(stdout) as [
      Manifest & { spec: { completions: number; template: { spec: { containers: { image: string }[] } } } },
    ];
    assert.deepEqual(faultsOf(job), []);
    assert.equal(job.metadata.name, 'gpumark-12');
    assert.equal(job.spec.completions, 5);
    assert.equal(job.spec.template.spec.containers[0]?.image, image);
    assert.match(kubernetes, /^kubectl create secret generic gpumark-12 --from-literal=token=eyJx && /);
  });
});
