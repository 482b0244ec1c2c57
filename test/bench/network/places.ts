import { execa } from 'execa';

/** Where the two ends run: `listener` and `dialer` are prefixes of their command lines. */
export interface Place {
  name: string;
  address: string;
  listener: readonly string[];
  dialer: readonly string[];
  close: () => Promise<void>;
}

export const loopback: Place = {
  name: 'loopback',
  address: '127.0.0.1',
  listener: [],
  dialer: [],
  close: async () => undefined,
};

/** The same with each end pinned to a core. */
export function onCores(place: Place, cores: { listener: number; dialer: number }): Place {
  const pin = (core: number): string[] => ['taskset', '-c', String(core)];
  return {
    ...place,
    listener: [...pin(cores.listener), ...place.listener],
    dialer: [...pin(cores.dialer), ...place.dialer],
  };
}

/** Two namespaces connected by a veth pair; a reason if permissions are missing. */
export async function openVeth(): Promise<Place | { reason: string }> {
  const id = `gmb${process.pid}`;
  const [a, b] = [`${id}a`, `${id}b`];
  const close = async (): Promise<void> => {
    for (const name of [a, b]) await execa('ip', ['netns', 'del', name], { reject: false });
  };
  try {
    for (const name of [a, b]) await execa('ip', ['netns', 'add', name]);
    await execa('ip', ['link', 'add', 'veth0', 'netns', a, 'type', 'veth', 'peer', 'name', 'veth0', 'netns', b]);
    for (const [name, address] of [
      [a, '10.99.0.1/24'],
      [b, '10.99.0.2/24'],
    ] as const) {
      await execa('ip', ['-n', name, 'addr', 'add', address, 'dev', 'veth0']);
      await execa('ip', ['-n', name, 'link', 'set', 'veth0', 'up']);
      await execa('ip', ['-n', name, 'link', 'set', 'lo', 'up']);
    }
  } catch (error) {
    await close();
    return {
      reason: `no network namespaces here: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`,
    };
  }
  const within = (name: string): readonly string[] => ['ip', 'netns', 'exec', name];
  return { name: 'veth', address: '10.99.0.1', listener: within(a), dialer: within(b), close };
}
