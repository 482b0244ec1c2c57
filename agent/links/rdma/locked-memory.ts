import type { SystemFiles } from '../../inventory/system-files.ts';

/** `ulimit -l` of this process; `unlimited` also where the kernel lets it go beyond by CAP_IPC_LOCK. */
export type LockedMemory = { kib: number } | 'unlimited' | null;

/** linux/capability.h: CAP_IPC_LOCK is bit 14 */
const IPC_LOCK = 1n << 14n;

/**
 * How much memory this process, and what it starts, may pin. RDMA pins what it sends from and into: where the limit is
 * reached, registering fails with "Couldn't allocate MR".
 */
export function readLockedMemory(files: SystemFiles): LockedMemory {
  const limits = files.text('proc/self/limits') ?? '';
  const soft = /^Max locked memory\s+(\d+|unlimited)\s/m.exec(limits)?.[1];
  if (soft === undefined) return null;
  if (soft === 'unlimited') return 'unlimited';
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(files.text('proc/self/status') ?? '')?.[1];
  // Only root of the first user namespace holds it for the kernel; a container with a namespace of its own does not.
  if (effective !== undefined && isFirstNamespace(files) && (BigInt(`0x${effective}`) & IPC_LOCK) !== 0n)
    return 'unlimited';
  return { kib: Math.floor(Number(soft) / 1024) };
}

/** The first user namespace maps all ids to themselves. */
const isFirstNamespace = (files: SystemFiles): boolean =>
  /^\s*0\s+0\s+4294967295$/.test(files.text('proc/self/uid_map') ?? '');
