import { networkConfig, networkLimits } from '../contract/network-config.ts';
import { DomainError } from '../platform/errors.ts';

const range = ({ min, max }: { min: number; max: number }): string => `${min} to ${max}`;

/** What a key may hold, said to the caller who got it wrong. */
const remedies: Readonly<Record<string, string>> = {
  timeout: `must be a number of seconds, ${range(networkLimits.timeoutSeconds)}`,
  graph: 'must be auto, full or degree',
  degree: `must be an integer, ${range(networkLimits.degree)}, and goes with graph degree, which needs it`,
  slot_seconds: `must be a number of seconds, ${range(networkLimits.slotSeconds)}`,
  transport: 'must be auto, tcp, rdma_host or rdma_gpu',
  port_range: 'must be two ports with a dash between, the lower first, such as 20000-20999',
  streams: `must be an integer, ${range(networkLimits.streams)}`,
  ping_pause_ms: `must be a number of milliseconds, ${range(networkLimits.pingPauseMs)}`,
  join_seconds: `must be a number of seconds, ${range(networkLimits.joinSeconds)}`,
  collective: 'must be auto or off',
};

/** Throws a validation error that names each wrong key below `where` and says what it may hold. */
export function checkNetworkConfig(config: unknown, where: string): void {
  if (config === null) return;
  const parsed = networkConfig.safeParse(config);
  if (parsed.success) return;
  const keys = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? '')))];
  const fields = keys.map((key) => ({
    path: ['body', key === '' ? where : `${where}.${key}`],
    message: remedies[key] ?? 'must be an object',
    type: 'value_error',
  }));
  throw new DomainError('validation', fields.map(({ path, message }) => `${path[1]} ${message}`).join('; '), {
    fields,
  });
}
