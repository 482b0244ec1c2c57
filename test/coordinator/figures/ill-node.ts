import type { NodeSignal } from '../../../coordinator/contract/health.ts';
import type { QuickMarkResults } from '../../../coordinator/contract/quick-mark.ts';

type Facts = Record<string, unknown>;
type Kind = 'hgx' | 'workstation' | 'instinct' | 'virtual';

/** How one fault shows in what a node uploads: facts of its first card, and rows of the machine. */
export interface Fault {
  /** an HGX node if left out */
  on?: Kind;
  /** path -> value, on the first card, below `device` (attributes), `run` (record of the run), `readings` or `link` (copies to it) */
  card?: Record<string, unknown>;
  /** the same on every card */
  cards?: Record<string, unknown>;
  machine?: NodeSignal[];
}

const healthyFabric = {
  incorrect_configuration: 'none',
  degraded_bandwidth: false,
  route_recovery: false,
  route_unhealthy: false,
  access_timeout: false,
};

const joined = { status: 'success', health: healthyFabric, summary: 'healthy' };

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
      clocks_max: { sm_mhz: 2100, memory_mhz: 1300 },
      application_clocks: { sm_mhz: 2100, memory_mhz: 1300, default_sm_mhz: 2100, default_memory_mhz: 1300 },
      bad_pages: { retired: 0, pending: 0, unreservable: 0 },
      ras: { corrected: 0, uncorrected: 0, deferred: 0 },
      xgmi: Array.from({ length: 7 }, (_, link) => ({ link, status: 'up', width: 16, speed: 32 })),
    },
    run: {
      throttle: ['sw_power_cap'],
      throttle_seconds: { sw_power_cap: 21, sw_thermal: 0, hw_thermal: 0 },
      ecc_corrected_during_run: 0,
      ecc_uncorrected_during_run: 0,
      ras_during_run: { corrected: 0, uncorrected: 0, deferred: 0 },
      xgmi_errors_during_run: { corrected: 0, uncorrected: 0 },
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
      pcie: { generation_max: 5, width_max: 16, replays: 0 },
      nvlink_active: isFull ? 18 : 0,
      nvlink_supported: isFull ? 18 : 0,
      nvlink_inactive: [],
      nvlink_speed_mbs: isFull ? 26_562 : null,
      application_clocks: { sm_mhz: 1980, default_sm_mhz: 1980, memory_mhz: 2619, default_memory_mhz: 2619 },
      clocks_max: { sm_mhz: 1980, memory_mhz: 2619 },
      gsp_firmware: { enabled: true, version: '580.159.04' },
      fabric:
        fabric === null ? null : { ...fabric, ...(isFull ? joined : { status: null, health: null, summary: null }) },
      recovery_action: 'none',
      mig_enabled: false,
    },
    run: {
      throttle: ['sw_power_cap'],
      throttle_seconds: { sw_power_cap: 21, sw_thermal: 0, sync_boost: 0, board_limit: 0 },
      xid: [],
      ecc_corrected_during_run: 0,
      ecc_uncorrected_during_run: 0,
      pcie_replays_during_run: 0,
      row_remaps_during_run: { correctable: 0, uncorrectable: 0, pending: false, failure: false },
      nvlink_errors_during_run: { crc_flit: 0, crc_data: 0, replay: 0, recovery: 0, ecc: 0 },
      nvlink_error_links: [],
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
      readings: { seconds: Array.from({ length: 250 }, (_point, second) => second / 5), throttled: [] },
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
        run: { seconds: 50 },
        readings: told['readings'],
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

export const port = (signal: string, value: NodeSignal['value'], during_run?: number): NodeSignal => ({
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
