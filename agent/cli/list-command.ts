import { listDevices } from '../kernels/list-devices.ts';
import type { DeviceEvent } from '../kernels/runner-events.ts';
import { findRunner } from '../setup/find-runner.ts';
import { withRunner } from '../setup/runner-failure.ts';
import { padEnd, printable } from '../ui/text-width.ts';
import type { Host } from '../run/host.ts';
import type { ParsedFlags } from './options.ts';

/** `--list`: every device and backend, usable or not and why. */
export async function list(host: Host, flags: ParsedFlags): Promise<number> {
  const runner = await findRunner(host);
  const devices = await withRunner(() => listDevices(runner));
  const idWidth = Math.max(...devices.map((device) => device.device_id.length));
  const lines = devices.map((device) => (flags.json === true ? jsonLine(device) : textLine(device, idWidth)));
  host.stdout.write(lines.map((line) => `${line}\n`).join(''));
  return 0;
}

function textLine(device: DeviceEvent, idWidth: number): string {
  const about = device.status === 'ok' ? device.name : `${device.status}: ${device.detail}`;
  const mark = device.simulated && !/simulated/i.test(about) ? ' (simulated)' : '';
  return printable(`${padEnd(device.device_id, idWidth)}  ${padEnd(device.vendor, 6)}  ${about}${mark}`);
}

function jsonLine({
  device_id,
  backend,
  vendor,
  status,
  detail,
  name,
  pci_id,
  memory_bytes,
  simulated,
}: DeviceEvent): string {
  return JSON.stringify({
    type: 'device',
    device_id,
    backend,
    vendor,
    status,
    detail,
    name,
    pci_id,
    memory_bytes,
    simulated,
  });
}
