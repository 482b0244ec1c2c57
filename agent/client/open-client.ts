import type { Host } from '../run/host.ts';
import type { SessionLimits } from '../run/session-limits.ts';
import { CoordinatorClient } from './coordinator-client.ts';
import { HttpConnection } from './http-connection.ts';

interface Coordinates {
  coordinator: string;
  token: string;
  /** Sent with every request. */
  trace_id: string;
  /** See ConnectionOptions. */
  ca: string | null;
  /** Aborts calls other than deliveries. */
  signal?: AbortSignal;
}

/** A client for one coordinator and token. */
export function openClient(
  host: Pick<Host, 'clock' | 'random' | 'installation'>,
  limits: SessionLimits,
  { coordinator, token, trace_id, ca, signal }: Coordinates,
): CoordinatorClient {
  const { clock, random, installation } = host;
  const user_agent = `gpumark-agent/${installation.version}`;
  const connection = new HttpConnection({ base_url: coordinator, token, trace_id, user_agent, ca, random });
  return new CoordinatorClient(connection, limits, { clock, random, signal });
}
