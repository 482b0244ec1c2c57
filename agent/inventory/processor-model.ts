import type { SystemFiles } from './system-files.ts';

/**
 * The processor as /proc/cpuinfo names it: `model name`, or on arm64, which has none, implementer and part of each kind of
 * core, such as `0x41/0xd0c`. Null if the kernel tells neither.
 */
export function processorModel(files: SystemFiles): string | null {
  const text = files.text('proc/cpuinfo') ?? '';
  const name = /^model name\s*:(.*)$/m.exec(text)?.[1]?.trim();
  if (name !== undefined && name !== '' && name !== 'unknown') return name;
  const cores = text.split(/\n\s*\n/).map((core) => {
    const [implementer, part] = ['implementer', 'part'].map(
      (field) => new RegExp(`^CPU ${field}\\s*:\\s*(\\S+)`, 'm').exec(core)?.[1],
    );
    return implementer === undefined || part === undefined ? null : `${implementer}/${part}`;
  });
  const kinds = new Set(cores.filter((core) => core !== null));
  return kinds.size === 0 ? null : [...kinds].toSorted().join(' ');
}
