import { countCards } from '../inventory/pci-cards.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import type { DeviceEvent } from '../kernels/runner-events.ts';
import type { Environment } from './cause.ts';
import { missing, note, ok, type Check } from './check.ts';
import { findMissingCards } from './find-missing-cards.ts';
import { signsOfGpu } from './signs-of-gpu.ts';
import { driverName, remedyOf, whyUnusable } from './why-unusable.ts';

/** Checks the GPUs of this machine, by its PCI bus and its device files, against the driver as seen by the runner. */
export function checkGpuDrivers(files: SystemFiles, devices: DeviceEvent[], env: Environment): Check[] {
  const unshown = findMissingCards(devices, 'auto', files, env);
  return ['nvidia', 'amd'].flatMap((vendor) => {
    const name = driverName(vendor);
    const seen = devices.filter((device) => device.vendor === vendor);
    const usable = seen.filter((device) => device.status === 'ok').length;
    if (usable === 0) return [withoutUsable(name, vendor, seen, files, env)];
    const isOf = (one: { vendor: string }): boolean => one.vendor === vendor;
    return [
      ok(name, `${usable} usable of ${Math.max(usable, countCards(files, vendor))} cards`),
      ...unshown.remarks.filter(isOf).map(({ message }) => note(name, message)),
      ...unshown.warnings.filter(isOf).map(({ message, remedy }) => missing(name, message, remedy)),
    ];
  });
}

/** A note if the machine has no GPU of the vendor; else what keeps it from being used, and what to do. */
function withoutUsable(
  name: string,
  vendor: string,
  seen: readonly DeviceEvent[],
  files: SystemFiles,
  env: Environment,
): Check {
  const signs = signsOfGpu(files, vendor, seen[0]?.status ?? 'no-driver');
  const told = seen.map(({ status, detail }) => `${status}: ${detail}`).join('; ') || 'not looked for by this runner';
  if (signs.length === 0) return note(name, `no card on the PCI bus (${told})`);
  const causes = seen.flatMap((device) => whyUnusable(device, files, env));
  const why = new Set([told, ...causes.map(({ cause }) => cause)].filter((text) => text !== ''));
  return missing(name, `${signs.join(', ')}, none usable: ${[...why].join('; ')}`, remedyOf(causes));
}
