import type { GpuMemory } from './gpu-memory.ts';
import type { PerftestFeatures } from './perftest-features.ts';
import type { RdmaCapability } from './probe-rdma.ts';

export type LocalRail = RdmaCapability['devices'][number];

/** One end of one test of one rail. */
export interface PerftestTest {
  rail: LocalRail;
  tcp_port: number;
  /** of the server, for the client; null for the server itself */
  server_address: string | null;
  /** the server's own, for binding; null: not known */
  own_address: string | null;
  gpu: GpuMemory | null;
  json_path: string | null;
}

/**
 * 1 MiB fills any link, with 128 messages in flight by perftest's default. Larger ones would have two costs: those in flight
 * are still sent after the measured second (1 GiB of 8 MiB each: 0.86 s at 10 Gb/s, and the slot is over), and two buffers of
 * 8 MiB do not go into the usual 8 MiB of lockable memory.
 */
export const MESSAGE_BYTES = 2 ** 20;
/** Enough to see that the transport works, both memories and all rails. */
const CHECK_MESSAGES = 64;
const PINGS = 1000;

/**
 * Arguments of `ib_write_bw`. Both ends need the same. `-D 1 -f 0`: one second without margins, since versions differ in the
 * default. `-Q 1`: each message is counted; some versions count by the hundred, which is 0.8 of 25 Gb/s at 1 MiB.
 * `-F`: no words about the processor's clock.
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

/** Arguments of `ib_write_lat`: 2 bytes by its default, of host memory always, since it takes no other. */
export function latencyArgs(test: PerftestTest, features: PerftestFeatures): string[] {
  return ['-n', String(PINGS), ...commonArgs(test, features)];
}

function commonArgs(test: PerftestTest, features: PerftestFeatures): string[] {
  const { rail, own_address, server_address } = test;
  // On InfiniBand the local identifiers do, as in everybody's runs; RoCE has nothing but its GID.
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
