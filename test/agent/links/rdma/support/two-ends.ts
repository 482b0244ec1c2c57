import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { NetworkSlot } from '../../../../../coordinator/contract/network-protocol.ts';
import { feedChannel } from '../../../../../agent/links/channel.ts';
import type { Channel } from '../../../../../agent/links/channel.ts';
import type { LinkClock } from '../../../../../agent/links/link-clock.ts';
import { measureRdmaSlot } from '../../../../../agent/links/rdma/measure-slot.ts';
import type { RdmaSlotInput } from '../../../../../agent/links/rdma/measure-slot.ts';
import { readFeatures } from '../../../../../agent/links/rdma/perftest-features.ts';
import type { PerftestTools, RdmaSetup } from '../../../../../agent/links/rdma/probe-rdma.ts';
import type { SlotReport } from '../../../../../agent/links/rdma/report-slot.ts';
import { startProgram } from '../../../../../agent/links/rdma/run-program.ts';
import { readRecorded } from './fake-tools.ts';

/** The coordinator's time, here this process's own. */
export const realClock: LinkClock = {
  now_ms: () => performance.timeOrigin + performance.now(),
  async sleepUntil(ms, signal) {
    const wait = Math.max(0, ms - realClock.now_ms());
    await pause(wait, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  },
};

/** Both ends of one channel, as the link process makes it between two machines. */
export function channelPair(): [Channel, Channel] {
  const a = feedChannel(
    { say: (text) => queueMicrotask(() => b.heard(text)), hangUp: () => queueMicrotask(() => b.hungUp()) },
    realClock,
  );
  const b = feedChannel(
    { say: (text) => queueMicrotask(() => a.heard(text)), hangUp: () => queueMicrotask(() => a.hungUp()) },
    realClock,
  );
  return [a.channel, b.channel];
}

/** The probe's result for a node with these devices, on InfiniBand. */
export function setupOf(tools: PerftestTools, devices: readonly string[]): RdmaSetup {
  const features = readFeatures(readRecorded('ib_write_bw-6.06-help.txt'), 'Version: 6.06\n');
  if (typeof features === 'string') throw new Error(features);
  return {
    tools,
    features,
    capability: {
      perftest_version: features.version,
      gpu_memory: false,
      json: features.json_file,
      devices: devices.map((device) => ({
        device,
        port: 1,
        link_layer: 'InfiniBand',
        rate_gbps: 400,
        gid_index: 0,
        numa_node: 0,
      })),
    },
    gpus: null,
  };
}

export function slotOf(wanted: Partial<NetworkSlot>): NetworkSlot {
  return {
    id: '17.1',
    node: 1,
    role: 'dial',
    is_source: true,
    key: '0'.repeat(64),
    local_address: '127.0.0.1',
    peer_address: null,
    peer_port: null,
    starts_at_ms: realClock.now_ms(),
    slot_ms: 24_000,
    transport: 'rdma_host',
    streams: 1,
    ping_pause_ms: 0,
    nominal_gbps: 400,
    check_only: false,
    ...wanted,
  };
}

export interface Ends {
  dialer: RdmaSetup;
  listener: RdmaSetup;
  slot?: Partial<NetworkSlot>;
  dialer_input?: Partial<RdmaSlotInput>;
  listener_input?: Partial<RdmaSlotInput>;
}

/** One slot between two nodes of this machine. */
export async function measureBoth(ends: Ends): Promise<[dialer: SlotReport, listener: SlotReport]> {
  const [there, here] = channelPair();
  const common = { clock: realClock, run: startProgram, random: Math.random, port_range: null, allow_public: false };
  const slot = slotOf(ends.slot ?? {});
  return await Promise.all([
    measureRdmaSlot({
      ...common,
      slot: { ...slot, role: 'dial', peer_address: '127.0.0.1', peer_port: 9 },
      setup: ends.dialer,
      channel: there,
      ...ends.dialer_input,
    }),
    measureRdmaSlot({
      ...common,
      slot: { ...slot, role: 'listen', is_source: false },
      setup: ends.listener,
      channel: here,
      ...ends.listener_input,
    }),
  ]);
}
