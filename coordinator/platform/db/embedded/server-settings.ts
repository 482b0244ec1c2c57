/** `durable` keeps every acknowledged commit; `ephemeral` trades that for speed, for tests only. */
export type Profile = 'durable' | 'ephemeral';

/** Environment of Postgres programs, which inherit nothing from ours (PGDATA, PGPORT, LD_PRELOAD ...). */
export const CLEAN_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Command-line settings of the server; they override postgresql.conf, so older clusters run with the current settings. */
export function serverSettings(profile: Profile): string {
  const settings = { ...COMMON, ...(profile === 'durable' ? DURABLE : EPHEMERAL) };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

const COMMON = {
  // No TCP: the socket in the cluster's own directory (0700) is the only way in.
  listen_addresses: '',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  authentication_timeout: '10s',
  idle_in_transaction_session_timeout: '60s',
  // A long query must not go on running after its client has disappeared.
  client_connection_check_interval: '10s',
  jit: 'off',
  // Starting parallel workers takes 50 to 100 ms on a small busy machine; with the default of 1000 they are started for queries
  // of 50 ms. Queries over whole archives still use them at this cost.
  parallel_setup_cost: '20000',
  // Clients report their own failed statements; the server logs only starts, stops and
  // recoveries, so that bad input cannot make its log grow.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
};

const DURABLE = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '128MB',
  max_connections: '60',
  max_wal_size: '512MB',
};

const EPHEMERAL = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  shared_buffers: '32MB',
  // Many test files run at the same time, each with its own small pool.
  max_connections: '200',
};
