import { type Machine, idsOn, runOn } from './simulated-gpus.ts';

export type Facts = Record<string, unknown>;

/** A fact that is an object; empty if it is null. */
export const objectOf = (facts: Facts | undefined, name: string): Facts => (facts?.[name] ?? {}) as Facts;

/** A machine whose card n has the n-th fault. */
export const withFaults = (
  vendor: 'nvidia' | 'amd',
  faults: readonly string[],
  sim: Record<string, string> = {},
): Machine => ({
  drivers: [vendor],
  sim: {
    DEVICES: String(faults.length),
    FAULT: faults.map((fault, card) => fault.replace(/(:|$)/, `@${card}$1`)).join(),
    ...sim,
  },
});

/** Attributes of each card, in the driver's order. */
export async function listed(machine: Machine, args: readonly string[] = []): Promise<Facts[]> {
  const { devices } = await runOn(machine, ['--list', ...args]);
  return devices.filter((one) => one.vendor !== 'cpu' && one.status === 'ok').map(({ attributes }) => attributes);
}

/** The record of each card's run, in the driver's order. */
export async function recorded(machine: Machine, args: readonly string[] = []): Promise<Facts[]> {
  const ids = await idsOn(machine);
  const { result } = await runOn(machine, ['run', '--device', ids.join(), '--benchmarks', 'clock,energy', ...args]);
  return ids.map((device_id) => result('temperature_centigrade', device_id).details);
}

/** Those facts that are not what a sound card has. */
export const differing = (facts: Facts, sound: Facts): Facts =>
  Object.fromEntries(
    Object.entries(facts).filter(([name, fact]) => JSON.stringify(fact) !== JSON.stringify(sound[name])),
  );
