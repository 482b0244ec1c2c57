import { canonicalJson } from '../../coordinator/contract/result-key.ts';
import { uuidV5 } from './uuid-v5.ts';

/** Generated once at random for this purpose. */
const CONFIGURATION_NAMESPACE = '09913edd-6523-4221-9b0a-357fa1bcf8c3';
const GIB = 2 ** 30;

/** Facts that the kernel and the runner always report the same; nothing from a probe that may time out. */
interface ConfigurationFacts {
  arch: string | null;
  processor: string | null;
  processors: number | null;
  hardware_vendor: string | null;
  hardware_model: string | null;
  memory_bytes: number | null;
  /** As reported by the runner. */
  cards: { name: string; memory_bytes: number | null }[];
}

/**
 * An id that is equal for machines of the same configuration: processor, memory and cards, without serials, disks,
 * software and anything that only root may read.
 */
export function configId(facts: ConfigurationFacts): string {
  const { memory_bytes, cards, ...rest } = facts;
  const configuration = {
    ...rest,
    memory_gib: memory_bytes === null ? null : builtMemory(memory_bytes),
    cards: cards
      .map((card) => `${card.name} ${card.memory_bytes === null ? '?' : builtMemory(card.memory_bytes)}`)
      .toSorted(),
  };
  return uuidV5(CONFIGURATION_NAMESPACE, canonicalJson(configuration));
}

/**
 * GiB, rounded up to the next of 1, 1.25, 1.5 and 1.75 times a power of two: 12, 14, 16, 20, 24 … The reported size is
 * 1 to 6 % below the installed one because of firmware, kernel and driver; memory is sold in these sizes or well
 * between them, so a reported size is never close to the point where rounding jumps to the next size.
 */
export function builtMemory(bytes: number): number {
  const octave = 2 ** Math.floor(Math.log2(bytes / GIB));
  return (Math.ceil((bytes / GIB / octave) * 4) / 4) * octave;
}
