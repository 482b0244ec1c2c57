import type { RunContext } from '../run/run-context.ts';
import { CoordinatorClient } from './coordinator-client.ts';
import { HttpConnection } from './http-connection.ts';

/** A client for one coordinator and token, with the run's trace id on every request. */
export function openClient(
  { host, limits, options, record, stop }: Pick<RunContext, 'host' | 'limits' | 'options' | 'record' | 'stop'>,
  coordinator: string,
  token: string,
): CoordinatorClient {
  const connection = new HttpConnection({
    base_url: coordinator,
    token,
    trace_id: record.trace_id,
    user_agent: `gpumark-agent/${host.installation.version}`,
    ca: options.ca,
    random: host.random,
  });
  return new CoordinatorClient(connection, limits, { clock: host.clock, random: host.random, signal: stop.signal });
}
