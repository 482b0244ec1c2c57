import type { NodeSignal } from '../../../coordinator/contract/health.ts';
import type { QuickMarkResults } from '../../../coordinator/contract/quick-mark.ts';

type Facts = Record<string, unknown>;
type Kind = 'hgx' | 'workstation' | 'instinct' | 'virtual';

/** How one fault shows in what a node uploads: facts of its first card, and rows of the machine. */
export interface Fault {
  /** an HGX node if left out */
  on?: Kind;
  /** path -> value, on the first card, below `device` (attributes), `run` (record of the run) or `link` (copies to it) */
  card?: Record<string, unknown>;
  /** the same on every card */
  cards?: Record<string, unknown>;
  machine?: NodeSignal[];
}

const healthyFabric = {
  degraded_bandwidth: false,
  route_recovery: false,
  route_unhealthy: false,
  access_timeout: false,
};

const NODES: Record<Kind, { model: string; vendor: 'nvidia' | 'amd'; device: Facts; run: Facts }> = {
  hgx: { model: 'NVIDIA H100 80GB HBM3', vendor: 'nvidia', ...nvidia({ state: 'completed' }) },
  workstation: { model: 'NVIDIA RTX 6000 Ada Generation', vendor: 'nvidia', ...nvidia({ state: 'not supported' }) },
  // A provider's machine whose driver does not know the fabric.
  virtual: { model: 'NVIDIA H100 80GB HBM3', vendor: 'nvidia', ...nvidia(null) },
  instinct: {
    model: 'AMD Instinct MI300X',
    vendor: 'amd',
    device: {
      backend: 'rocm',
      driver_version: '6.12.12',
      vbios: '113-M3000100-102',
      ecc_mode: 'enabled',
      power_cap_watts: 750,
      power_cap_default_watts: 750,
      pcie: { generation_max: 5, width_max: 16, replays: 3 },
      bad_pages: { retired: 0, pending: 0, unreservable: 0 },
      ras: { corrected: 0, uncorrected: 0, deferred: 0 },
      xgmi: Array.from({ length: 7 }, (_, link) => ({ link, status: 'up', width: 16, speed: 32 })),
    },
    run: {
      throttle: ['sw_power_cap'],
      ras_during_run: { corrected: 0, uncorrected: 0, deferred: 0 },
      xgmi_errors_during_run: 0,
      pcie_replays_during_run: 0,
    },
  },
};

/** What a healthy NVIDIA card says, with everything that can be read. */
function nvidia(fabric: { state: string } | null): { device: Facts; run: Facts } {
  const isFull = fabric?.state !== 'not supported';
  return {
    device: {
      backend: 'cuda',
      driver_version: '580.159.04',
      vbios: '96.00.DA.00.0C',
      ecc_mode: isFull ? 'enabled' : 'disabled',
      ecc_mode_pending: isFull ? 'enabled' : 'disabled',
      ecc_errors: { corrected: 12, uncorrected: 0 },
      ecc_errors_volatile: { corrected: 3, uncorrected: 0 },
      row_remaps: { correctable: 0, uncorrectable: 0, pending: false, failure: false },
      retired_pages: { single_bit: 0, double_bit: 0, pending: false },
      power_cap_watts: 700,
      power_cap_default_watts: 700,
      pcie: { generation_max: 5, width_max: 16 },
      nvlink_active: isFull ? 18 : 0,
      nvlink_inactive: [],
      application_clocks: { sm_mhz: 1980, default_sm_mhz: 1980, memory_mhz: 2619, default_memory_mhz: 2619 },
      clocks_max: { sm_mhz: 1980, memory_mhz: 2619 },
      gsp_firmware: { enabled: true, version: '580.159.04' },
      fabric: fabric === null ? null : { ...fabric, status: null, health: healthyFabric },
      recovery_action: 'none',
      mig_enabled: false,
    },
    run: {
      throttle: ['sw_power_cap'],
      xid: [],
      ecc_corrected_during_run: 0,
      ecc_uncorrected_during_run: 0,
      pcie_replays_during_run: 0,
      row_remaps_during_run: { correctable: 0, uncorrectable: 0, pending: false, failure: false },
      nvlink_errors_during_run: { crc_flit: 0, crc_data: 0, replay: 0, recovery: 0, ecc: 0 },
      nvlink_lost_during_run: [],
    },
  };
}

export const address = (card: number): string => `0000:${(0x18 + 0x10 * card).toString(16)}:00.0`;

/** A node of `count` cards with these faults; without any it is healthy. */
export function nodeWith(faults: readonly Fault[], count = 2): QuickMarkResults {
  const kind = faults.find(({ on }) => on !== undefined)?.on ?? 'hgx';
  const { model, vendor, device, run } = NODES[kind];
  const test_results = Array.from({ length: count }, (_, card) => {
    const facts = {
      device: { ...device, pci_id: address(card) },
      run,
      link: { generation_current: 5, width_current: 16 },
    };
    const changes = faults.flatMap((fault) => [
      ...Object.entries(fault.cards ?? {}),
      ...(card === 0 ? Object.entries(fault.card ?? {}) : []),
    ]);
    const told = changes.reduce<Facts>((held, [path, value]) => withFact(held, path.split('.'), value), facts);
    return {
      gpu_id: `GPU-${card + 1}`,
      gpu_model: model,
      vendor,
      simulated: false,
      unavailable: {},
      details: {
        device: told['device'],
        temperature_centigrade: told['run'],
        host_to_device_bandwidth_gbs: { value: 55, pcie_under_load: told['link'] },
      },
    };
  });
  const node_signals = [...healthyMachine, ...faults.flatMap(({ machine = [] }) => machine)];
  return { test_results, aggregate_results: {}, node_signals } as unknown as QuickMarkResults;
}

/** A list is added to, so that two faults of one list are both there. */
function withFact(held: Facts, [name = '', ...rest]: string[], value: unknown): Facts {
  const before = held[name];
  if (rest.length > 0) return { ...held, [name]: withFact({ ...(before as Facts) }, rest, value) };
  return {
    ...held,
    [name]: Array.isArray(before) && Array.isArray(value) ? [...(before as unknown[]), ...value] : value,
  };
}

const port = (signal: string, value: NodeSignal['value'], during_run?: number): NodeSignal => ({
  signal,
  of: 'mlx5_0/1',
  value,
  ...(during_run === undefined ? {} : { during_run }),
});

/** A machine with an InfiniBand port, on which nothing is wrong. */
const healthyMachine: NodeSignal[] = [
  port('ib_port_state', 'ACTIVE'),
  port('ib_port_physical_state', 'LinkUp'),
  port('ib_link_downed', 3, 0),
  { signal: 'cpu_governor', value: 'performance' },
  { signal: 'transparent_hugepages', value: 'madvise' },
  { signal: 'cpu_quota_cores', value: 'none' },
  { signal: 'kernel_taint', value: 'POE' },
  { signal: 'iommu_mode', value: 'passthrough' },
  { signal: 'nvidia_fabricmanager', value: 'running' },
  // Ended programs, long before the run.
  { signal: 'aer_fatal', of: address(1), value: 0, during_run: 0 },
];

const card = (values: Record<string, unknown>): Fault => ({ card: values });
const onAmd = (values: Record<string, unknown>): Fault => ({ on: 'instinct', card: values });
const throttled = (...reasons: string[]): Fault => card({ 'run.throttle': reasons });
const ofPort = (signal: string, during_run: number): Fault => ({ machine: [port(signal, 5, during_run)] });
const ofSlot = (signal: string, value: number, during_run: number): Fault => ({
  machine: [{ signal, of: address(0), value, during_run }],
});
const ofMachine = (signal: string, value: NodeSignal['value'], of?: string): Fault => ({
  machine: [{ signal, value, ...(of === undefined ? {} : { of }) }],
});

/** An Xid that the driver told while the card was measured, and one that the kernel logged three hours before. */
export const xidDuring = (number: number): Fault => card({ 'run.xid': [String(number)] });
export const xidBefore = (number: number): Fault => ({
  machine: [{ signal: 'kernel_xid', of: address(0), value: number, during_run: 0, seconds_ago: 10_800 }],
});

/** Rule -> the fault that it finds. The rules of Xids, of which there are two per number, are made from their numbers. */
export const faults: Record<string, Fault> = {
  row_remap_failed: card({ 'device.row_remaps.failure': true }),
  row_remap_pending: card({ 'device.row_remaps.pending': true }),
  rows_remapped: card({ 'device.row_remaps.uncorrectable': 2 }),
  row_remapped_during_run: card({ 'run.row_remaps_during_run.correctable': 1 }),
  ecc_off: card({ 'device.ecc_mode': 'disabled', 'device.ecc_mode_pending': 'disabled' }),
  ecc_mode_pending: card({ 'device.ecc_mode_pending': 'disabled' }),
  uncorrected_errors_during_run: card({ 'run.ecc_uncorrected_during_run': 1 }),
  uncorrected_errors_since_reset: card({ 'device.ecc_errors_volatile.uncorrected': 1 }),
  uncorrected_errors_in_lifetime: card({ 'device.ecc_errors.uncorrected': 9 }),
  many_corrected_errors_during_run: card({ 'run.ecc_corrected_during_run': 4000 }),
  retired_page_pending: card({ 'device.retired_pages.pending': true }),
  retired_pages_exhausted: card({ 'device.retired_pages.single_bit': 58, 'device.retired_pages.double_bit': 4 }),
  many_retired_pages: card({ 'device.retired_pages.single_bit': 11 }),
  bad_pages_unreservable: onAmd({ 'device.bad_pages.unreservable': 1 }),
  bad_pages_pending: onAmd({ 'device.bad_pages.pending': 2 }),
  bad_pages_retired: onAmd({ 'device.bad_pages.retired': 3 }),
  ras_uncorrected_since_reset: onAmd({ 'device.ras.uncorrected': 1 }),
  ras_deferred_during_run: onAmd({ 'run.ras_during_run.deferred': 1 }),
  nvlinks_inactive: card({ 'device.nvlink_active': 9, 'device.nvlink_inactive': [9, 10, 11, 12, 13, 14, 15, 16, 17] }),
  nvlink_lost_during_run: card({ 'run.nvlink_lost_during_run': [4] }),
  nvlink_recovery_errors: card({ 'run.nvlink_errors_during_run.recovery': 1 }),
  nvlink_replay_errors: card({ 'run.nvlink_errors_during_run.replay': 1 }),
  nvlink_crc_data_errors: card({ 'run.nvlink_errors_during_run.crc_data': 1 }),
  nvlink_crc_flit_errors: card({ 'run.nvlink_errors_during_run.crc_flit': 101 }),
  fabric_not_ready: card({ 'device.fabric.state': 'not started' }),
  fabric_degraded: card({ 'device.fabric.health.degraded_bandwidth': true }),
  fabric_route_unhealthy: card({ 'device.fabric.health.route_unhealthy': true }),
  fabric_route_recovery: card({ 'device.fabric.health.route_recovery': true }),
  fabric_access_timeout: card({ 'device.fabric.health.access_timeout': true }),
  fabric_manager_down: { on: 'virtual', machine: [{ signal: 'nvidia_fabricmanager', value: 'not running' }] },
  xgmi_links_down: onAmd({ 'device.xgmi': [{ link: 7, status: 'down', width: 16, speed: 0 }] }),
  xgmi_width_reduced: onAmd({ 'device.xgmi': [{ link: 8, status: 'up', width: 8, speed: 32 }] }),
  xgmi_errors_during_run: onAmd({ 'run.xgmi_errors_during_run': 2 }),
  pcie_replays_during_run: card({ 'run.pcie_replays_during_run': 100_000 }),
  pcie_width_reduced: card({ 'link.width_current': 8 }),
  pcie_generation_reduced: card({ 'link.generation_current': 3 }),
  pcie_fatal_errors_during_run: ofSlot('aer_fatal', 1, 1),
  pcie_fatal_errors_before_run: ofSlot('aer_fatal', 1, 0),
  pcie_nonfatal_errors_during_run: ofSlot('aer_nonfatal', 2, 2),
  pcie_nonfatal_errors_before_run: ofSlot('aer_nonfatal', 2, 0),
  pcie_corrected_errors_during_run: ofSlot('aer_correctable', 5000, 1001),
  kernel_logged_pcie_errors: ofSlot('kernel_pcie_aer', 1, 1),
  hot_hardware_slowdown: throttled('hw_thermal'),
  hot_software_slowdown: throttled('sw_thermal'),
  power_brake: throttled('power_brake'),
  hardware_slowdown: throttled('hw_slowdown'),
  clocks_lowered: card({ 'device.application_clocks.sm_mhz': 1410 }),
  clocks_held: throttled('application_clocks'),
  sync_boost: throttled('sync_boost'),
  power_cap_lowered: card({ 'device.power_cap_watts': 500 }),
  recovery_reset: card({ 'device.recovery_action': 'reset' }),
  recovery_reboot: card({ 'device.recovery_action': 'reboot' }),
  recovery_drain_p2p: card({ 'device.recovery_action': 'drain p2p' }),
  gsp_firmware_off: card({ 'device.gsp_firmware.enabled': false }),
  ib_port_down: { machine: [{ signal: 'ib_port_state', of: 'mlx5_1/1', value: '2: INIT' }] },
  ib_port_training: { machine: [{ signal: 'ib_port_physical_state', of: 'mlx5_1/1', value: 'Polling' }] },
  ib_port_slow: { machine: [port('ib_port_rate_gbps', 200), port('ib_port_rate_max_gbps', 400)] },
  ib_pkey_not_default: { machine: [port('ib_pkey_default', false)] },
  ib_link_downed: ofPort('ib_link_downed', 1),
  ib_link_error_recovery: ofPort('ib_link_error_recovery', 1),
  ib_symbol_error: ofPort('ib_symbol_error', 11),
  ib_port_rcv_errors: ofPort('ib_port_rcv_errors', 1),
  ib_local_link_integrity_errors: ofPort('ib_local_link_integrity_errors', 1),
  ib_excessive_buffer_overrun_errors: ofPort('ib_excessive_buffer_overrun_errors', 1),
  ib_port_xmit_discards: ofPort('ib_port_xmit_discards', 1001),
  roce_out_of_sequence: ofPort('roce_out_of_sequence', 1001),
  roce_packet_seq_err: ofPort('roce_packet_seq_err', 1001),
  roce_cnp_handled: ofPort('roce_cnp_handled', 1001),
  roce_ecn_marked: ofPort('roce_ecn_marked', 1001),
  net_link_lost: ofPort('net_carrier_changes', 2),
  net_crc_errors: ofPort('net_crc_errors', 1),
  net_rx_errors: ofPort('net_rx_errors', 11),
  acs_redirects_peer_copies: ofMachine('acs_redirect', true, '0000:17:00.0'),
  iommu_translates: ofMachine('iommu_mode', 'translated'),
  pinned_to_other_numa_node: ofMachine('pinned_to_numa_node', false, address(0)),
  cpu_governor_saves_power: ofMachine('cpu_governor', 'powersave'),
  cpu_quota: ofMachine('cpu_quota_cores', 1.5),
  huge_pages_off: ofMachine('transparent_hugepages', 'never'),
  kernel_machine_check: ofMachine('kernel_taint', 'POEM'),
  kernel_oops: ofMachine('kernel_taint', 'D'),
  sxid: { machine: [{ signal: 'kernel_sxid', of: '0000:05:00.0', value: 12_028, during_run: 1 }] },
  sxid_before_run: {
    machine: [{ signal: 'kernel_sxid', of: '0000:05:00.0', value: 12_028, during_run: 0, seconds_ago: 60 }],
  },
  xid_unknown: xidDuring(9999),
  xid_unknown_before_run: xidBefore(9999),
  cards_differ_in_driver: card({ 'device.driver_version': '575.57.08' }),
  cards_differ_in_vbios: card({ 'device.vbios': '96.00.A5.00.1A' }),
  cards_differ_in_ecc_mode: {
    on: 'workstation',
    card: { 'device.ecc_mode': 'enabled', 'device.ecc_mode_pending': 'enabled' },
  },
  cards_differ_in_power_cap: card({ 'device.power_cap_watts': 650, 'device.power_cap_default_watts': 650 }),
  cards_differ_in_nvlinks: card({ 'device.nvlink_active': 20 }),
  cards_differ_in_pcie: card({ 'link.width_current': 8, 'device.pcie.width_max': 8 }),
};
