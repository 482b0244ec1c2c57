import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineNamed } from '../../../../coordinator/ingest/connectors/machine-families.ts';
import { awsMachines } from '../../../../coordinator/ingest/connectors/machines/aws-machines.ts';
import { azureMachines } from '../../../../coordinator/ingest/connectors/machines/azure-machines.ts';
import { gcpMachines } from '../../../../coordinator/ingest/connectors/machines/gcp-machines.ts';
import { ociMachines } from '../../../../coordinator/ingest/connectors/machines/oci-machines.ts';

const all = [...awsMachines, ...azureMachines, ...gcpMachines, ...ociMachines];

test('a machine type has one row, and a form factor that products have', () => {
  const names = all.flatMap(({ types }) => types.flatMap(([, text]) => text.split(' ')));
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  );
  const known = new Set([null, 'NVL', 'OAM', 'PCIe', 'SXM', 'superchip']);
  assert.deepEqual(
    all.filter(({ formFactor }) => !known.has(formFactor)),
    [],
  );
});

test('the count in the name of a Google machine or an Oracle shape is the count', () => {
  for (const { types } of [...gcpMachines, ...ociMachines]) {
    for (const [count, text] of types) {
      for (const name of text.split(' ')) {
        const said = /-(\d+)g(?:-nolssd)?$/.exec(name)?.[1] ?? /^(?:BM|VM)\..*\.(\d+)$/.exec(name)?.[1];
        if (said !== undefined) assert.equal(count, Number(said), name);
      }
    }
  }
});

test('only whole names of known types are answered', () => {
  assert.deepEqual(machineNamed('g6f.xlarge'), {
    label: 'NVIDIA L4',
    memoryGb: 24,
    formFactor: 'PCIe',
    gpuCount: 0.125,
  });
  for (const name of ['g3.large.x86', 'g5', 'p5.48xlarge.x', 'NC6', 'n1-highmem-8', 'BM.GPU.A4.8', '']) {
    assert.equal(machineNamed(name), null, name);
  }
});
