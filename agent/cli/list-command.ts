import { listBenchmarks, listDevices } from '../kernels/list-devices.ts';
import type { RunnerBenchmark } from '../kernels/list-devices.ts';
import type { DeviceEvent } from '../kernels/runner-events.ts';
import { findRunner } from '../setup/find-runner.ts';
import { withRunner } from '../setup/runner-failure.ts';
import { metricLabel } from '../kernels/registry.ts';
import { padEnd, printable, wrapText } from '../ui/text-width.ts';
import type { Host } from '../run/host.ts';
import type { ParsedFlags } from './options.ts';

/** `list`: lists every device and backend, with the reason if unusable, then the benchmarks of a device. */
export async function list(host: Host, { json }: Pick<ParsedFlags, 'json'>): Promise<number> {
  const runner = await findRunner(host);
  const [devices, benchmarks] = await withRunner(() => Promise.all([listDevices(runner), listBenchmarks(runner)]));
  const lines = json === true ? [...devices.map(jsonLine), ...benchmarks.map(benchmarkJson)] : [];
  const text = json === true ? [] : [...deviceLines(devices), '', ...benchmarkLines(benchmarks)];
  host.stdout.write([...lines, ...text].map((line) => `${line}\n`).join(''));
  return 0;
}

function deviceLines(devices: readonly DeviceEvent[]): string[] {
  const width = Math.max(...devices.map((device) => device.device_id.length));
  return devices.flatMap((device) => {
    const about = device.status === 'ok' ? device.name : `${device.status}: ${device.detail}`;
    const mark = device.simulated && !/simulated/i.test(about) ? ' (simulated)' : '';
    return hanging(
      printable(`${padEnd(device.device_id, width)}  ${padEnd(device.vendor, 6)}  `),
      printable(about + mark),
    );
  });
}

/** `text` after `head`, with a hanging indent: 80 columns, unless `head` leaves too little room. */
function hanging(head: string, text: string): string[] {
  const [first = '', ...others] = wrapText(text, Math.max(30, 80 - head.length));
  return [`${head}${first}`, ...others.map((line) => `${' '.repeat(head.length)}${line}`)];
}

function benchmarkLines(benchmarks: readonly RunnerBenchmark[]): string[] {
  const width = Math.max(...benchmarks.map(({ id }) => id.length), 0) + 2;
  const rows = benchmarks.flatMap(({ id, metrics }) =>
    hanging(`  ${padEnd(id, width)}`, metrics.map(metricLabel).join(', ')),
  );
  return [
    'quick_mark, on each device:',
    ...rows,
    'quick_mark, on several GPUs: all at once, and copies between every pair',
    'cluster_network: the links between the nodes of a job',
  ];
}

const benchmarkJson = ({ id, metrics, seconds }: RunnerBenchmark): string =>
  JSON.stringify({ type: 'benchmark', id, metrics, seconds });

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
