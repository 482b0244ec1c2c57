import type { Host } from '../run/host.ts';
import type { SessionLimits } from '../run/session-limits.ts';
import { CoordinatorClient } from './coordinator-client.ts';
import { HttpConnection } from './http-connection.ts';
import type { Proxies } from '../run/run-options.ts';

interface Coordinates {
  coordinator: string;
  token: string;
  /** Sent with every request. */
  trace_id: string;
  /** See ConnectionOptions. */
  ca: string | null;
  proxies: Proxies;
  /** Aborts calls other than deliveries. */
  signal?: AbortSignal;
}

/** A client for one coordinator and token. */
export function openClient(
  host: Pick<Host, 'clock' | 'random' | 'installation'>,
  limits: SessionLimits,
  { coordinator, token, trace_id, ca, proxies, signal }: Coordinates,
): CoordinatorClient {
  const { clock, random, installation } = host;
  const user_agent = `gpumark-agent/${installation.version}`;
  const base_url = coordinator;
  const connection = new HttpConnection({ base_url, token, trace_id, user_agent, ca, proxies, clock, random });
  return new CoordinatorClient(connection, limits, { clock, random, signal });
}
