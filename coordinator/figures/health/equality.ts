import { fromMemory, type HealthRule, onePage, read } from './rule.ts';

const differs = (
  id: string,
  what: string,
  rule: Pick<HealthRule, 'severity' | 'source'> & Partial<HealthRule>,
): HealthRule => ({
  id,
  scope: 'node',
  signal: id,
  reading: 'level',
  when: { above: 1 },
  action: 'none',
  says: `cards of one model differ in their ${what}: {value}`,
  ...rule,
});

/** Cards of one model in one node, and nodes of one job, that are not alike. The signal is the number of distinct values. */
export const equalityRules: readonly HealthRule[] = [
  differs('cards_differ_in_driver', 'driver', {
    severity: 'warning',
    source: onePage('validation', 'Node, driver version'),
  }),
  differs('cards_differ_in_vbios', 'VBIOS', {
    severity: 'info',
    source: onePage('gcm', 'check-nvidia-smi, vbios_mismatch'),
  }),
  differs('cards_differ_in_ecc_mode', 'ECC mode', {
    severity: 'warning',
    source: fromMemory('field', 'cards of one node are set up alike'),
    unless: ['ecc_off'],
  }),
  differs('cards_differ_in_power_cap', 'power cap', {
    severity: 'info',
    source: fromMemory('field', 'cards of one node are set up alike'),
    unless: ['power_cap_lowered'],
  }),
  differs('cards_differ_in_nvlinks', 'active NVLinks', {
    severity: 'warning',
    action: 'drain',
    source: read('validation', 'NVLink, nvlink_bandwidth_count_speed: every GPU has the same count'),
    unless: ['nvlinks_inactive', 'nvlink_lost_during_run'],
  }),
  differs('cards_differ_in_pcie', 'PCIe link', {
    severity: 'info',
    action: 'check_cabling',
    source: onePage('gcm', 'check-pci: PCIe link width and speed as expected'),
    unless: ['pcie_width_reduced', 'pcie_generation_reduced'],
  }),
  differs('nodes_differ_in_driver', 'driver', {
    scope: 'job',
    severity: 'warning',
    says: 'nodes with cards of one model differ in their driver: {value}',
    source: onePage('validation', 'Node, driver version'),
  }),
  differs('nodes_differ_in_vbios', 'VBIOS', {
    scope: 'job',
    severity: 'info',
    says: 'nodes with cards of one model differ in their VBIOS: {value}',
    source: onePage('gcm', 'check-nvidia-smi, vbios_mismatch'),
  }),
];
