import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { DeviceEvent } from '../../agent/kernels/runner-events.ts';
import { UsageError } from './options.ts';

/** Figures in here are of real cards and are published. */
const publishedFolder = join('native', 'results');

/**
 * Where the results go, an absolute path. An existing file of the default's name is not overwritten.
 * @throws UsageError if simulated results would land among those of real cards
 */
export function resultsPath(
  devices: readonly DeviceEvent[],
  { out, cwd, now }: { out: string | null; cwd: string; now: Date },
): string {
  const simulated = devices.some((device) => device.simulated);
  const path = out === null ? unused(join(cwd, folderFor(cwd, simulated), nameFor(devices, now))) : resolve(cwd, out);
  if (simulated && `${realFolder(path)}${sep}`.includes(`${sep}${publishedFolder}${sep}`)) {
    throw new UsageError(`${path}: results of a simulated device do not go to ${publishedFolder}`);
  }
  return path;
}

/** Writes the document whole or not at all. */
export function writeResults(path: string, document: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.part`, `${JSON.stringify(document, null, 2)}\n`);
  renameSync(`${path}.part`, path);
}

function folderFor(cwd: string, simulated: boolean): string {
  if (simulated) return join('var', 'device-check');
  return existsSync(join(cwd, publishedFolder)) ? publishedFolder : '.';
}

/** card-driver-date.json; several cards of one kind are counted, further kinds joined. */
function nameFor(devices: readonly DeviceEvent[], now: Date): string {
  const kinds = [...Map.groupBy(devices, (device) => device.name)].map(([name, cards]) =>
    cards.length === 1 ? name : `${cards.length}x-${name}`,
  );
  const driver = devices.map(driverOf).find((version) => version !== null) ?? 'unknown-driver';
  return `${slug(kinds.join('-and-')).slice(0, 100)}-${slug(driver)}-${now.toISOString().slice(0, 10)}.json`;
}

/** The version of the kernel's driver, or of ROCm where that is all there is. */
export function driverOf(device: DeviceEvent): string | null {
  const { driver_version, rocm_version } = device.attributes;
  if (typeof driver_version === 'string') return driver_version;
  return typeof rocm_version === 'string' ? `rocm-${rocm_version}` : null;
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^-+|-+$/g, '');

function unused(path: string): string {
  for (let number = 2; existsSync(path); number += 1)
    path = `${path.replace(/(-no-\d+)?\.json$/, '')}-no-${number}.json`;
  return path;
}

/** The folder as the file system knows it, through links; what does not exist yet is taken as it is written. */
function realFolder(path: string): string {
  const folder = dirname(path);
  if (existsSync(folder)) return realpathSync(folder);
  return folder === dirname(folder) ? folder : join(realFolder(folder), basename(folder));
}
