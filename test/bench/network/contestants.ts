import { execa } from 'execa';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { beginSlot, freshKey, LinkProcess, object } from '../../native/link-process.ts';
import type { Contestant } from './alternate.ts';
import type { Place } from './places.ts';

/** As in a slot of 3 s: 300 ms of warm-up, 600 ms measured. */
const warm_ms = 300;
const measured_ms = 600;
const iperfPort = 5979;
const sockperfPort = 5978;

export interface Running extends Contestant {
  close: () => Promise<void>;
}

const command = (before: readonly string[], rest: readonly string[]): [string, string[]] => {
  const [file = '', ...args] = [...before, ...rest];
  return [file, args];
};

/** `gpumark-runner link` at both ends: Gb/s of the forward direction, and p50 of the round trip. */
export async function startOurs(place: Place, streams: number): Promise<Running> {
  const listener = await LinkProcess.start([], place.listener);
  const dialer = await LinkProcess.start([], place.dialer);
  const port = await listener.listen(place.address);
  let count = 0;
  const measure = async (): Promise<Record<string, number>> => {
    const id = `bench.${(count += 1)}`;
    beginSlot(listener, dialer, { id, port, streams, address: place.address, length_ms: 3000, key: freshKey() });
    const [heard, dialled] = await Promise.all([listener.next('slot', id), dialer.next('slot', id)]);
    const gbps = [heard, dialled].map((end) => Number(object(end['received'])['gbps']));
    if (gbps.some((one) => !(one > 0))) throw new Error(`no figure: ${JSON.stringify([heard, dialled])}`);
    // forward is the direction in which the peers send as well
    return { gbps: gbps[0] ?? 0, rtt_us: Number(object(dialled['rtt_us'])['p50']) };
  };
  const close = async (): Promise<void> => void (await Promise.all([listener.close(), dialer.close()]));
  return { name: 'ours', measure, close };
}

export async function startBare(place: Place, streams: number, program: string): Promise<Running> {
  const windows = [String(warm_ms), String(measured_ms)];
  const server = execa(...command(place.listener, [program, 'receive', place.address, String(streams), ...windows]), {
    buffer: false,
    reject: false,
  });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const port = String((await lines.next()).value);
  const measure = async (): Promise<Record<string, number>> => {
    await execa(...command(place.dialer, [program, 'send', place.address, port, String(streams), '950']));
    return { gbps: Number((await lines.next()).value) };
  };
  const close = async (): Promise<void> => {
    server.kill();
    await server;
  };
  return { name: 'bare', measure, close };
}

/** Null if it is not installed. */
export async function startIperf(place: Place, streams: number): Promise<Running | null> {
  if ((await execa('which', ['iperf3'], { reject: false })).exitCode !== 0) return null;
  const measure = async (): Promise<Record<string, number>> => {
    const server = execa(
      ...command(place.listener, ['iperf3', '-s', '-1', '-B', place.address, '-p', String(iperfPort)]),
      {
        reject: false,
        timeout: 20_000,
      },
    );
    await wait(300);
    const options = ['-c', place.address, '-p', String(iperfPort), '-P', String(streams), '-t', '1', '-O', '0.3', '-J'];
    const { stdout } = await execa(...command(place.dialer, ['iperf3', ...options]));
    await server;
    const end = object(object(JSON.parse(stdout))['end']);
    return { gbps: Number(object(end['sum_received'])['bits_per_second']) / 1e9 };
  };
  return { name: 'iperf3', measure, close: async () => undefined };
}

/** Round trips (--full-rtt) of 64 bytes in its default, blocking mode, for one second. Null if it is not installed. */
export async function startSockperf(place: Place): Promise<Running | null> {
  if ((await execa('which', ['sockperf'], { reject: false })).exitCode !== 0) return null;
  const where = ['--tcp', '-i', place.address, '-p', String(sockperfPort)];
  const server = execa(...command(place.listener, ['sockperf', 'sr', ...where]), { reject: false, buffer: false });
  await wait(500);
  const measure = async (): Promise<Record<string, number>> => {
    const ping = ['sockperf', 'pp', ...where, '-t', '1', '-m', '64', '--full-rtt'];
    const { stdout } = await execa(...command(place.dialer, ping));
    return { rtt_us: Number(/percentile 50\.000 =\s+([\d.]+)/.exec(stdout)?.[1]) };
  };
  const close = async (): Promise<void> => {
    server.kill();
    await server;
  };
  return { name: 'sockperf', measure, close };
}
