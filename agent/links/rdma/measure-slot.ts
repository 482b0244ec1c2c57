import { mkdtempSync, rmSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NetworkSlot } from '../../../coordinator/contract/network-protocol.ts';
import type { Channel } from '../channel.ts';
import type { LinkClock } from '../link-clock.ts';
import { pairRails } from './choose-rails.ts';
import type { RdmaSetup } from './probe-rdma.ts';
import { ProgramPool } from './program-pool.ts';
import type { StartProgram } from './run-program.ts';
import { runPhases } from './run-phases.ts';
import { emptyReport, reportSlot, type SlotReport } from './report-slot.ts';
import type { Rail, SlotContext } from './slot-context.ts';
import { fitsSlot, planTimes } from './slot-times.ts';
import { Talk } from './talk.ts';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface RdmaSlotInput {
  slot: NetworkSlot;
  setup: RdmaSetup;
  /** connects the two ends, which have authenticated each other; closed at the end */
  channel: Channel;
  clock: LinkClock;
  run: StartProgram;
  /** uniform in [0, 1) */
  random: () => number;
  /** TCP ports that perftest's servers may listen on, both included; null: 20000 to 59999 */
  port_range: { first: number; last: number } | null;
  allow_public: boolean;
  /** ends everything at once */
  signal?: AbortSignal;
}

/** Why two ends could not start measuring. */
type MeetingCode =
  /** no GPU memory can be registered with a device */
  | 'NO_GPU_MEMORY'
  /** the other end has not introduced itself before the deadline */
  | 'NO_WORD'
  /** one of the ends has no IPv4 address on this route, which all versions of perftest need */
  | 'NEEDS_IPV4'
  /** the other end's address is public, and this node was not started with --net-public */
  | 'PUBLIC_ADDRESS'
  /** no device of one end has a counterpart of the same kind at the other */
  | 'NO_COMMON_RAIL';

const ANY_PORT = { first: 20_000, last: 59_999 };

/**
 * Measures one end of one RDMA link with perftest: latency, then one second in each direction on all rails at once. The
 * two ends have authenticated each other and exchange ports over that channel; nothing outlives the slot. Nothing here
 * has been run on RDMA hardware.
 * @returns the report of this end; never throws for failures of the other end, perftest or the network
 */
export async function measureRdmaSlot(input: RdmaSlotInput): Promise<SlotReport> {
  const { slot, clock, channel } = input;
  const started = clock.now_ms();
  const times = planTimes(slot);
  if (times === null) {
    channel.hang_up();
    return emptyReport(slot, started, 'transport_error', 'connect', 'SLOT_TOO_SHORT');
  }
  const talk = new Talk(channel, times.deadline_ms);
  const pool = new ProgramPool(input.run);
  const guard = talk.closed.then(() => pool.close());
  const over = new AbortController();
  const limit = clock.sleepUntil(times.deadline_ms, over.signal).then(() => talk.close());
  const end = (): void => talk.close();
  input.signal?.addEventListener('abort', end, { once: true });
  if (input.signal?.aborted === true) end();
  const folder = input.setup.features.json_file ? makeFolder() : null;
  try {
    const met = await meet(input, talk);
    if (typeof met === 'string')
      return emptyReport(slot, started, met === 'NO_WORD' ? 'closed' : 'transport_error', 'connect', met);
    const context: SlotContext = {
      slot,
      setup: input.setup,
      clock,
      times,
      talk,
      pool,
      folder,
      pickPort: () => pickPort(input),
      ...met,
    };
    const begun = clock.now_ms();
    const report = reportSlot(slot, started, met.rails, input.setup, await runPhases(context));
    if (!slot.check_only || report.status !== 'ok' || fitsSlot(slot, times, clock.now_ms() - begun)) return report;
    return emptyReport(slot, started, 'timeout', 'forward', 'SLOT_TOO_SHORT');
  } finally {
    over.abort();
    talk.close();
    await Promise.all([guard, limit]);
    input.signal?.removeEventListener('abort', end);
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

/** Folder for JSON reports; without it the tables are parsed. */
function makeFolder(): string | null {
  try {
    return mkdtempSync(join(tmpdir(), 'gpumark-rdma-'));
  } catch {
    return null;
  }
}

/** The ends exchange their rails and the addresses of their servers. */
async function meet(
  input: RdmaSlotInput,
  talk: Talk,
): Promise<Pick<SlotContext, 'rails' | 'own_address' | 'peer_address'> | MeetingCode> {
  const { slot, setup } = input;
  const devices = setup.capability.devices;
  if (slot.transport === 'rdma_gpu' && setup.gpus === null) return 'NO_GPU_MEMORY';
  const own = await addressOf(slot);
  talk.say({
    say: 'hello',
    perftest_version: setup.features.version,
    address: own,
    rails: devices.map(({ device, port, link_layer }) => ({ device, port, link_layer })),
  });
  const hello = await talk.hear('hello');
  if (hello === null) return 'NO_WORD';
  const isDialer = slot.role === 'dial';
  const peer = isDialer ? slot.peer_address : hello.address;
  if (own === null || peer === null || !isIPv4(peer)) return 'NEEDS_IPV4';
  if (!input.allow_public && !isPrivateIpv4(peer)) return 'PUBLIC_ADDRESS';
  const pairs = isDialer ? pairRails(devices, hello.rails) : pairRails(hello.rails, devices);
  const rails = pairs.flatMap((pair): Rail[] => {
    const place = isDialer ? pair.dialer : pair.listener;
    const device = devices[place];
    return device === undefined
      ? []
      : [{ device, gpu: slot.transport === 'rdma_gpu' ? (setup.gpus?.[place] ?? null) : null }];
  });
  return rails.length === 0 ? 'NO_COMMON_RAIL' : { rails, own_address: own, peer_address: peer };
}

async function addressOf(slot: NetworkSlot): Promise<string | null> {
  if (slot.local_address !== null) return isIPv4(slot.local_address) ? slot.local_address : null;
  return slot.peer_address === null ? null : await ownAddressTowards(slot.peer_address, slot.peer_port ?? 9);
}

function pickPort({ port_range, random }: RdmaSlotInput): number {
  const { first, last } = port_range ?? ANY_PORT;
  return first + Math.floor(random() * (last - first + 1));
}

/**
 * Our IPv4 source address towards `peer` by the routing table, from a connected UDP socket that sends nothing. Null if
 * there is no route, or the peer's address is IPv6, which not all versions of perftest support for TCP.
 */
export async function ownAddressTowards(peer: string, port: number): Promise<string | null> {
  if (!isIPv4(peer)) return null;
  const socket = createSocket('udp4');
  try {
    socket.connect(port, peer);
    await once(socket, 'connect');
    return socket.address().address;
  } catch {
    return null;
  } finally {
    socket.close();
  }
}

/**
 * RFC 1918, shared (100.64/10), link-local and loopback addresses: the only ones that a test may use unless the
 * operator allows others.
 */
export function isPrivateIpv4(address: string): boolean {
  const [a = 0, b = 0] = address.split('.').map(Number);
  if (!isIPv4(address)) return false;
  const pair = (first: number, low: number, high: number): boolean => a === first && b >= low && b <= high;
  return a === 10 || a === 127 || pair(172, 16, 31) || pair(192, 168, 168) || pair(100, 64, 127) || pair(169, 254, 254);
}
