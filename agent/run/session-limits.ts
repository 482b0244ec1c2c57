/** Every time limit of the conversation with the coordinator, in milliseconds. Tests pass shorter ones. */
export interface SessionLimits {
  /** Register: how long an unreachable coordinator is retried before anything is measured. */
  register_ms: number;
  /** Register: how long a machine is waited for that another agent seems to hold. Lease 45 s + sweep 5 s = 50 s. */
  machine_active_ms: number;
  /** Results and completion: a coordinator restart takes seconds; after this the result waits in the spool. */
  delivery_ms: number;
  /** Inventory is sent again inside the results, so it is worth less patience. */
  inventory_ms: number;
  /** After Ctrl-C: the person is waiting. Twice this at most (result, then the word `aborted`). */
  farewell_ms: number;
  /** One try of a small call. */
  call_ms: number;
  /** One try of a results upload: 8 MiB at 2.5 Mbit/s take 27 s. */
  upload_call_ms: number;
  /** One heartbeat: half the interval, so that a hanging call never costs two beats. */
  heartbeat_call_ms: number;
  /** How long the report's URL is asked for, and how often. */
  report_ms: number;
  report_poll_ms: number;
  /** cluster_network: how long nothing may answer after the end of the plan that is held, and how long joining is tried. */
  network_away_ms: number;
  /** One question for the coordinator's time; one that takes long says little. */
  network_sync_ms: number;
  /** How often the live matrix asks for news. */
  network_matrix_ms: number;
  /** cluster_network: how long reports are sent once it is over. */
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
