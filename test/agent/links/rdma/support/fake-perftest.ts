import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { FakeConfig, FakeDevice } from './fake-tools.ts';
import { bandwidthTable, brokenJson, latencyTable, validJson } from './printed-reports.ts';

/**
 * Stands in for ib_write_bw and ib_write_lat: no RDMA, but processes that listen, connect, sleep, exchange their options and
 * results over TCP and print like version 6.06. Run as: node fake-perftest.ts CONFIG PROGRAM ARGUMENTS...
 */
const [configPath = '', program = '', ...args] = process.argv.slice(2);
const config = JSON.parse(readFileSync(configPath, 'utf8')) as FakeConfig;
const isLatency = program === 'ib_write_lat';
const note = (event: string): void =>
  appendFileSync(
    config.journal,
    `${JSON.stringify({ event, program, pid: process.pid, role, device: device_name, at_ms: Date.now() })}\n`,
  );
const fail = (text: string): never => {
  process.stderr.write(text);
  process.exit(1);
};
const pause = async (ms: number): Promise<void> => await new Promise((resolve) => setTimeout(resolve, ms));

if (args.includes('--help')) {
  process.stdout.write(readFileSync(config.help, 'utf8'));
  process.exit(1);
}
if (args.includes('--version')) {
  process.stdout.write(`Version: ${config.version}\n`);
  process.exit(1);
}

const { values, positionals } = parseArgs({
  args,
  allowPositionals: true,
  options: {
    'ib-dev': { type: 'string', short: 'd' },
    'ib-port': { type: 'string', short: 'i' },
    port: { type: 'string', short: 'p' },
    size: { type: 'string', short: 's', default: '2' },
    duration: { type: 'string', short: 'D' },
    margin: { type: 'string', short: 'f' },
    iters: { type: 'string', short: 'n' },
    'gid-index': { type: 'string', short: 'x' },
    'cq-mod': { type: 'string', short: 'Q' },
    'CPU-freq': { type: 'boolean', short: 'F' },
    report_gbits: { type: 'boolean' },
    source_ip: { type: 'string' },
    bind_source_ip: { type: 'string' },
    use_cuda: { type: 'string' },
    out_json: { type: 'boolean' },
    out_json_file: { type: 'string' },
  },
});
const device_name = values['ib-dev'] ?? '';
const host = positionals[0];
const role = host === undefined ? 'server' : 'client';
const found = config.devices[device_name];
if (found === undefined) fail(readFileSync(config.no_device, 'utf8'));
const device: FakeDevice = found as FakeDevice;
const fault =
  device.fault !== undefined && (device.fault_in ?? program) === program && (device.fault_role ?? role) === role
    ? device.fault
    : null;
if (fault === 'stubborn') process.on('SIGTERM', () => note('SIGTERM ignored'));
note('started');

const size = Number(values.size);
/** Both ends need the same options, as the real one does. */
const agreed = JSON.stringify({ size, duration: values.duration, iters: values.iters, program });

const linesOf = (socket: Socket): AsyncIterator<string> => createInterface({ input: socket })[Symbol.asyncIterator]();

async function readLine(lines: AsyncIterator<string>): Promise<string> {
  const line = await lines.next();
  if (line.done === true)
    fail("ethernet_read_keys: Couldn't read remote address\n Unable to read from socket/rdma_cm\n");
  return line.value as string;
}

async function talk(socket: Socket): Promise<void> {
  const lines = linesOf(socket);
  note('connected');
  socket.write(`${agreed}\n`);
  if ((await readLine(lines)) !== agreed) fail(' Failed to exchange data between server and clients\n');
  if (fault === 'hang' || fault === 'stubborn') await pause(3_600_000);
  if (fault === 'exit') fail(" Couldn't allocate MR\n failed to create mr\n Couldn't create IB resources\n");
  if (!isLatency) await pause(config.sleep_ms);
  let gbps = device.gbps;
  if (role === 'client' || isLatency) {
    note('measuring');
    await pause(isLatency ? config.ping_ms : config.measure_ms);
    note('measured');
  }
  if (!isLatency && role === 'client') {
    socket.write(`${gbps}\n`);
    await readLine(lines);
  }
  if (!isLatency && role === 'server') {
    gbps = Number(await readLine(lines));
    socket.write('bye\n');
  }
  report(gbps);
  socket.end();
}

function report(gbps: number): void {
  const shown = fault === 'misreport' ? gbps * 0.9 : gbps;
  const seconds = values.duration === undefined ? 0.001 : Number(values.duration);
  const iterations =
    values.iters === undefined ? Math.round((shown * 1e9 * seconds) / (8 * size)) : Number(values.iters);
  const table = isLatency
    ? latencyTable({ size, iterations, typical_us: device.latency_us })
    : bandwidthTable({ size, iterations, gbps: shown, unit: 'Gb/sec' });
  if (fault === 'garbage') process.stdout.write('Segmentation fault imminent\n 1048576 lots of it\n');
  else process.stdout.write(table);
  if (values.out_json_file !== undefined && !isLatency) {
    writeFileSync(
      values.out_json_file,
      config.json === 'broken' ? brokenJson(size, iterations, shown) : validJson(size, iterations, shown),
    );
  }
  note('reported');
}

if (host === undefined) {
  const server = createServer((socket) => {
    server.close();
    void talk(socket);
  });
  server.on('error', () =>
    fail(
      `Couldn't listen to port ${values.port}\n Unable to open file descriptor for socket connection Unable to init the socket connection\n`,
    ),
  );
  if (fault === 'deaf') await pause(3_600_000);
  server.listen(Number(values.port), values.bind_source_ip ?? values.source_ip ?? '0.0.0.0');
} else {
  const socket = createConnection(Number(values.port), host);
  socket.on('error', () =>
    fail(
      `Couldn't connect to ${host}:${values.port}\n Unable to open file descriptor for socket connection Unable to init the socket connection\n`,
    ),
  );
  socket.on('connect', () => void talk(socket));
}
