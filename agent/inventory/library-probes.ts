import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SystemFacts } from '../run/host.ts';
import { probe } from './probe.ts';
import type { Probed } from './probe.ts';

/** Timeout in milliseconds of each systeminformation query; they run in parallel, so this is also the total. */
const QUESTION_MS = 3_000;

/** nvidia-smi takes 1-2 s on a node with 8 cards and no persistence mode. */
export const NVIDIA_SMI_MS = 4_000;

/**
 * The only file that talks to systeminformation and node-nvidia-smi. Both run other programs: each query has a timeout,
 * and an answer that the library made up because a program is missing is dropped.
 */
export async function probeSystem(): Promise<SystemFacts> {
  const { default: si } = await import('systeminformation');
  const [cpu, hypervisor, layout] = await Promise.all([
    probe('lscpu', QUESTION_MS, () => si.cpu()),
    probe('virtualization', QUESTION_MS, hypervisorVendor),
    probe('dmidecode', QUESTION_MS, () => si.memLayout()),
  ]);
  const reasons: Record<string, string> = {};
  for (const answer of [cpu, hypervisor, layout])
    if (answer.reason !== null) reasons[answer.reason.split(/[: ]/)[0] ?? ''] = answer.reason;
  return {
    brand: cpu.value === null ? null : `${cpu.value.manufacturer} ${cpu.value.brand}`.trim() || null,
    hypervisor: hypervisor.value === null || hypervisor.value === '' ? null : hypervisor.value,
    modules: layout.value === null ? null : memoryModules(layout.value),
    reasons,
  };
}

/** Empty without one. The library searches the kernel log for the word instead, which hosts of virtual machines contain. */
async function hypervisorVendor(): Promise<string> {
  const { stdout } = await promisify(execFile)('env', ['LC_ALL=C', 'lscpu'], { timeout: QUESTION_MS });
  return /^Hypervisor vendor:\s*(.+)$/m.exec(stdout)?.[1]?.trim() ?? '';
}

interface Module {
  size: number;
  type: string;
  clockSpeed: number | null;
}

/** SMBIOS 7.18.2, as dmidecode writes them: firmware and storage, not working memory. */
const NOT_MEMORY = /^(logical non-volatile device|flash|(ee|fe|e)?prom|rom)$/i;
/** A type that the firmware does not name, or names wrongly. */
const UNKNOWN = /^(|unknown|other|reserved|ram|dram|<out of spec>)$/i;

/**
 * The installed modules; null if there are none, as without dmidecode, when systeminformation reports the whole memory
 * as one module without a type. Persistent memory and the firmware's own chips are left out. The speed is the lowest
 * configured one, at which all of them work.
 */
function memoryModules(layout: readonly Module[]): SystemFacts['modules'] {
  const installed = layout.filter(
    ({ size, type }) => size > 0 && !['', 'Empty'].includes(type) && !NOT_MEMORY.test(type),
  );
  if (installed.length === 0) return null;
  const types = new Set(installed.map(({ type }) => type.trim()).filter((type) => !UNKNOWN.test(type)));
  const speeds = installed.map(({ clockSpeed }) => clockSpeed ?? 0).filter((speed) => speed > 0);
  return {
    count: installed.length,
    type: types.size === 0 ? null : [...types].toSorted().join(', '),
    speed_mts: speeds.length === 0 ? null : Math.min(...speeds),
  };
}

/** The parsed document of `nvidia-smi -q -x`; a warning on stderr or an exit code counts as a failure, with its text as the reason. */
export async function probeNvidiaSmi(): Promise<Probed<unknown>> {
  return await probe('nvidia-smi', NVIDIA_SMI_MS, async () => {
    const { default: nvidiaSmi } = await import('node-nvidia-smi');
    return await new Promise<unknown>((resolve, reject) => {
      nvidiaSmi((error, log) => (error ? reject(asError(error)) : resolve(log)));
    });
  });
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error).trim().slice(0, 300));
