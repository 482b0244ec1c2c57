import { arch, cpus, release, totalmem, type } from 'node:os';

/** The machine around the cards, without anything that names its owner. */
export function hostFacts(): Record<string, string | number> {
  const processors = cpus();
  return {
    system: `${type()} ${release()}`,
    architecture: arch(),
    processor: processors[0]?.model.trim() ?? 'unknown',
    logical_cpus: processors.length,
    memory_bytes: totalmem(),
    node: process.version,
  };
}
