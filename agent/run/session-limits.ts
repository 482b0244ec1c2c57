/** All timeouts of the communication with the coordinator, in milliseconds. Tests pass shorter ones. */
export interface SessionLimits {
  /** Register: how long an unreachable coordinator is retried before anything is measured. */
  register_ms: number;
  /**
   * Register: how long to wait if another agent seems to hold this machine's identity. Lease 45 s + sweep 5 s = 50 s.
   */
  machine_active_ms: number;
  /** Results and completion: a coordinator restart takes seconds; after this the result waits in the spool. */
  delivery_ms: number;
  /** The inventory is sent again with the results, so this is shorter. */
  inventory_ms: number;
  /** After Ctrl-C, while the person is waiting: at most twice this (the result, then `aborted`). */
  farewell_ms: number;
  /** One attempt of a small call. */
  call_ms: number;
  /** One attempt of a results upload: 8 MiB at 2.5 Mbit/s take 27 s. */
  upload_call_ms: number;
  /** One heartbeat: half the interval, so that a hanging call costs at most one beat. */
  heartbeat_call_ms: number;
  /** How long, and at what interval, the report's URL is polled. */
  report_ms: number;
  report_poll_ms: number;
  /**
   * cluster_network: how long the coordinator may be silent after the end of the current plan, and how long joining is
   * tried.
   */
  network_away_ms: number;
  /** One time request; a slow one is not accurate anyway. */
  network_sync_ms: number;
  /** Polling interval of the live matrix. */
  network_matrix_ms: number;
  /** cluster_network: how long to keep sending reports after its end. */
  network_farewell_ms: number;
}

export const sessionLimits: SessionLimits = {
  register_ms: 60_000,
  machine_active_ms: 50_000,
  delivery_ms: 60_000,
  inventory_ms: 20_000,
  farewell_ms: 5_000,
  call_ms: 10_000,
  upload_call_ms: 30_000,
  heartbeat_call_ms: 5_000,
  report_ms: 15_000,
  report_poll_ms: 500,
  network_away_ms: 120_000,
  network_sync_ms: 2_000,
  network_matrix_ms: 1_000,
  network_farewell_ms: 10_000,
};
