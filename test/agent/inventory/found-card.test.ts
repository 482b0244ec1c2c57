import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foundCard } from '../../../agent/inventory/found-card.ts';

test('the runner’s device event becomes a card: links are counted by peer, invalid attributes are left out', () => {
  const link = (index: number, active: boolean, remote: string) => ({
    link: index,
    active,
    version: 4,
    remote_pci_id: remote,
  });
  const attributes = {
    uuid: 'GPU-7',
    telemetry: 'NVML',
    ecc_mode: 'enabled',
    power_cap_watts: 700,
    serial: 17,
    mig_enabled: false,
    pcie: { generation_max: 5, generation_current: 1, width_max: 16, width_current: 16 },
    nvlink: [
      link(0, true, '0000:05:00.0'),
      link(1, true, '0000:05:00.0'),
      link(2, true, '0000:06:00.0'),
      link(3, false, ''),
    ],
  };
  const { facts, device_id } = foundCard({
    schema: 'gpumark.native/1',
    event: 'device',
    t_ms: 0,
    backend: 'cuda',
    vendor: 'nvidia',
    status: 'ok',
    detail: '',
    device_id: 'GPU-7',
    pci_id: '0000:17:00.0',
    name: 'N',
    memory_bytes: 1,
    simulated: false,
    attributes,
  });
  assert.equal(device_id, 'GPU-7');
  assert.deepEqual(facts?.nvlink, {
    links: 4,
    active: 3,
    version: '4',
    remotes: [
      { pci_id: '0000:05:00.0', links: 2 },
      { pci_id: '0000:06:00.0', links: 1 },
    ],
  });
  assert.deepEqual([facts?.nvlink_active, facts?.serial, facts?.mig, facts?.source], [3, null, null, 'NVML']);
  assert.deepEqual([facts?.pci_info?.link_width_max, facts?.mig_enabled], [16, false]);
});
