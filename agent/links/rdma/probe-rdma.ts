import type { z } from 'zod';
import type { rdmaCapability } from '../../../coordinator/contract/network-protocol.ts';
import type { SystemFiles } from '../../inventory/system-files.ts';
import { findGpuMemory, type GpuMemory } from './gpu-memory.ts';
import { readFeatures, type PerftestFeatures } from './perftest-features.ts';
import { pickGidIndex } from './pick-gid.ts';
import { readPorts } from './read-ports.ts';
import type { StartProgram } from './run-program.ts';
import { chooseRails } from './choose-rails.ts';
import { cutWords } from '../../../coordinator/figures/cut-words.ts';

export type RdmaCapability = z.infer<typeof rdmaCapability>;

/** Names or paths of the two programs. */
export interface PerftestTools {
  write_bw: string;
  write_lat: string;
}

/** What the slots need besides the facts sent to the coordinator. */
export interface RdmaSetup {
  tools: PerftestTools;
  features: PerftestFeatures;
  capability: RdmaCapability;
  /** by the rail's index in `capability.devices`; null: GPU memory cannot be used */
  gpus: readonly GpuMemory[] | null;
}

export interface RdmaProbe {
  capability: RdmaCapability | null;
  setup: RdmaSetup | null;
  /** why something is missing, sentences for people */
  notes: string[];
}

const HELP_SECONDS = 5;
const NOTES_MAX = 12;
const RAILS_MAX = 32;
/** Two messages of 1 MiB, queues and completions of one process; fits in the usual limit of 8 MiB. */
const LOCKED_KIB_NEEDED = 4096;
const PATH_TOOLS: PerftestTools = { write_bw: 'ib_write_bw', write_lat: 'ib_write_lat' };

/**
 * This node's RDMA capability: active ports, and a usable perftest. Nothing is sent. Never run on a machine with RDMA
 * hardware: the layout of /sys follows the kernel's documentation and sources.
 */
export async function probeRdma(files: SystemFiles, run: StartProgram, tools = PATH_TOOLS): Promise<RdmaProbe> {
  const none = (...notes: string[]): RdmaProbe => ({ capability: null, setup: null, notes: shortened(notes) });
  const ports = readPorts(files);
  if (ports.length === 0) return none('no RDMA device in /sys/class/infiniband');
  const { rails, notes } = chooseRails(ports);
  if (rails.length === 0) return none('no RDMA port can be used', ...notes);
  const features = await askFeatures(run, tools);
  if (typeof features === 'string') return none(features, ...notes);
  const locked = readLockedMemory(files);
  if (locked !== null && locked !== 'unlimited' && locked.kib < LOCKED_KIB_NEEDED) {
    return none(`RDMA needs ${LOCKED_KIB_NEEDED} KiB of locked memory, ulimit -l is ${locked.kib}`, ...notes);
  }
  const used = rails.slice(0, RAILS_MAX);
  const gpus = findGpuMemory(
    files,
    features,
    used.map(({ device }) => device),
  );
  if (typeof gpus === 'string') notes.push(gpus);
  const devices = used.map((port) => ({
    device: port.device,
    port: port.port,
    link_layer: port.link_layer === 'InfiniBand' ? ('InfiniBand' as const) : ('Ethernet' as const),
    rate_gbps: port.rate_gbps,
    gid_index: pickGidIndex(port),
    numa_node: port.numa_node,
  }));
  const capability = {
    perftest_version: features.version,
    gpu_memory: typeof gpus !== 'string',
    json: features.json_file,
    devices,
  };
  const setup = { tools, features, capability, gpus: typeof gpus === 'string' ? null : gpus };
  return { capability, setup, notes: shortened(notes) };
}

async function askFeatures(run: StartProgram, tools: PerftestTools): Promise<PerftestFeatures | string> {
  const ask = (path: string, option: string) => run({ path, args: [option], limit_seconds: HELP_SECONDS }).ended;
  const [help, version, latency] = await Promise.all([
    ask(tools.write_bw, '--help'),
    ask(tools.write_bw, '--version'),
    ask(tools.write_lat, '--version'),
  ]);
  // --help and --version exit with 1 in every version; only 126 and 127 mean that there is no program.
  const isThere = (end: { exit_code: number | null }): boolean => end.exit_code !== null && end.exit_code < 124;
  if (!isThere(help) || !isThere(version)) return 'ib_write_bw cannot be run: install perftest';
  const features = readFeatures(help.stdout, version.stdout);
  if (typeof features === 'string') return features;
  if (!isThere(latency) || !latency.stdout.includes(`Version: ${features.version}`)) {
    return `no ib_write_lat of version ${features.version} beside ib_write_bw`;
  }
  return features;
}

const shortened = (notes: readonly string[]): string[] => notes.slice(0, NOTES_MAX).map((note) => cutWords(note, 300));

/** `ulimit -l` of this process; `unlimited` also with CAP_IPC_LOCK, which overrides it. */
type LockedMemory = { kib: number } | 'unlimited' | null;

/** linux/capability.h: CAP_IPC_LOCK is bit 14 */
const IPC_LOCK = 1n << 14n;

/**
 * How much memory this process and its children may pin. RDMA pins its buffers: above the limit, registration fails
 * with "Couldn't allocate MR".
 */
function readLockedMemory(files: SystemFiles): LockedMemory {
  const limits = files.text('proc/self/limits') ?? '';
  const soft = /^Max locked memory\s+(\d+|unlimited)\s/m.exec(limits)?.[1];
  if (soft === undefined) return null;
  if (soft === 'unlimited') return 'unlimited';
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(files.text('proc/self/status') ?? '')?.[1];
  // The kernel honours it only in the initial user namespace, not in a container with its own.
  if (effective !== undefined && isFirstNamespace(files) && (BigInt(`0x${effective}`) & IPC_LOCK) !== 0n)
    return 'unlimited';
  return { kib: Math.floor(Number(soft) / 1024) };
}

/** The initial user namespace maps all ids to themselves. */
const isFirstNamespace = (files: SystemFiles): boolean =>
  /^\s*0\s+0\s+4294967295$/.test(files.text('proc/self/uid_map') ?? '');
