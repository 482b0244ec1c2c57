import type { GpuMemory } from './gpu-memory.ts';
import type { PerftestFeatures } from './perftest-features.ts';
import type { RdmaCapability } from './probe-rdma.ts';

export type LocalRail = RdmaCapability['devices'][number];

/** One end of one test of one rail. */
export interface PerftestTest {
  rail: LocalRail;
  tcp_port: number;
  /** the server's address, for the client; null for the server itself */
  server_address: string | null;
  /** address that the server binds to; null if unknown */
  own_address: string | null;
  gpu: GpuMemory | null;
  json_path: string | null;
}

/**
 * 1 MiB fills any link, with perftest's default of 128 messages in flight. Larger messages have two drawbacks: those in
 * flight are still sent after the measured second (1 GiB of 8 MiB each: 0.86 s at 10 Gb/s, too long for the slot), and
 * two buffers of 8 MiB exceed the usual 8 MiB of lockable memory.
 */
export const MESSAGE_BYTES = 2 ** 20;
/** Enough to show that the transport works, with both ends' memory and on all rails. */
const CHECK_MESSAGES = 64;
const PINGS = 1000;

/**
 * Arguments of `ib_write_bw`. The same at both ends. `-D 1 -f 0`: one second without margins, since versions differ in
 * the default. `-Q 1`: each message is counted; some versions count in hundreds, a step of 0.8 in 25 Gb/s at 1 MiB.
 * `-F`: no warning about the processor's clock.
 */
export function bandwidthArgs(test: PerftestTest, features: PerftestFeatures, checkOnly: boolean): string[] {
  const amount = checkOnly ? ['-n', String(CHECK_MESSAGES)] : ['-D', '1', '-f', '0'];
  const memory = test.gpu?.args ?? [];
  return [
    ...amount,
    '-s',
    String(MESSAGE_BYTES),
    '-Q',
    '1',
    '--report_gbits',
    ...memory,
    ...commonArgs(test, features),
  ];
}

/** Arguments of `ib_write_lat`: 2 bytes by default, always in host memory, since it supports no other. */
export function latencyArgs(test: PerftestTest, features: PerftestFeatures): string[] {
  return ['-n', String(PINGS), ...commonArgs(test, features)];
}

function commonArgs(test: PerftestTest, features: PerftestFeatures): string[] {
  const { rail, own_address, server_address } = test;
  // InfiniBand works with local identifiers, perftest's default; RoCE needs a GID.
  const gid = rail.link_layer === 'Ethernet' && rail.gid_index !== null ? ['-x', String(rail.gid_index)] : [];
  const bind =
    server_address === null && own_address !== null && features.bind_option !== null
      ? [features.bind_option, own_address]
      : [];
  const json = test.json_path === null ? [] : ['--out_json', `--out_json_file=${test.json_path}`];
  const where = server_address === null ? [] : [server_address];
  return [
    '-F',
    '-d',
    rail.device,
    '-i',
    String(rail.port),
    '-p',
    String(test.tcp_port),
    ...gid,
    ...bind,
    ...json,
    ...where,
  ];
}
