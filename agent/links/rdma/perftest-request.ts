import { join } from 'node:path';
import { bandwidthArgs, latencyArgs } from './perftest-command.ts';
import type { ProgramRequest } from './run-program.ts';
import type { Rail, SlotContext } from './slot-context.ts';
import type { Phase } from './talk.ts';

/**
 * One perftest process of a slot; `serverAddress` null: the server. It lives until one second after the deadline at
 * most.
 */
export function perftestRequest(
  context: SlotContext,
  phase: Phase,
  rail: Rail,
  port: number,
  serverAddress: string | null,
): { request: ProgramRequest; json_path: string | null } {
  const { setup, slot, folder } = context;
  const json_path =
    folder === null ? null : join(folder, `${phase}-${rail.device.device}-${rail.device.port}-${port}.json`);
  const test = {
    rail: rail.device,
    tcp_port: port,
    server_address: serverAddress,
    own_address: context.own_address,
    gpu: phase === 'ping' ? null : rail.gpu,
    json_path,
  };
  const args =
    phase === 'ping' ? latencyArgs(test, setup.features) : bandwidthArgs(test, setup.features, slot.check_only);
  const request = {
    path: phase === 'ping' ? setup.tools.write_lat : setup.tools.write_bw,
    args,
    env: test.gpu?.env ?? {},
    limit_seconds: (context.times.deadline_ms - context.clock.now_ms()) / 1000 + 1,
  };
  return { request, json_path };
}
