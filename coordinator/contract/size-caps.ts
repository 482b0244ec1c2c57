/**
 * Most that is kept of one node and one job, in bytes of JSON as Postgres writes it. Measured with 256 sensor points: a processor
 * with all its details takes 22 KiB, a GPU 58 KiB by the records of a real H100 and H200 (native/results) with the facts of
 * health and the verdicts that came since, 66 KiB with the eight formats of a simulated B200. A cell of the copies between two
 * GPUs takes 225 bytes, the inventory of a node of 8 GPUs 3 KiB.
 *
 *   8 GPUs:    8 x 66 KiB + 56 cells x 225 B          = 540 KiB
 *   64 GPUs:  64 x 66 KiB + 4,032 cells x 225 B       = 5.0 MiB   -> result 6 MiB
 *   4 configurations of 64 GPUs, or 20 of 16          = 21 MiB    -> task 24 MiB
 *   256 nodes of 8 GPUs: 256 x 540 KiB                = 135 MiB   -> job 160 MiB
 *
 * The `details` of larger results are in a file instead of the answer: 256 nodes of 8 GPUs x 6 KiB, their cells and the
 * job's own 2,048 lines of 1.5 KiB are 18 MiB -> answer 24 MiB, which is sent in pieces.
 */
export const sizeCaps = {
  /** one device of a result, including its `details` */
  device: { bytes: 96 * 1024, depth: 10, members: 4000 },
  /** one device without its `details`, or the sums without the copies: part of every answer that shows results */
  figures: { bytes: 16 * 1024, depth: 8, members: 1000 },
  /** the node's sums including the copies between its devices */
  aggregate: { bytes: 2 * 1024 * 1024, depth: 8, members: 60_000 },
  inventory: { bytes: 128 * 1024, depth: 10, members: 12_000 },
  /** `machine_inventory` and the further properties of a test task, each */
  testTask: { bytes: 32 * 1024, depth: 10, members: 4000 },
  /** the configuration of one benchmark of a job */
  config: { bytes: 2048, depth: 6, members: 100, number: Number.MAX_SAFE_INTEGER },
  launcherFacts: 64,
  resultBytes: 6 * 1024 * 1024,
  taskBytes: 24 * 1024 * 1024,
  jobBytes: 160 * 1024 * 1024,
  /** a larger result is answered without the `details` of its devices, which are in a file of their own */
  inlineResultBytes: 64 * 1024,
  /** results in one answer: a job, a page of tasks or of jobs */
  answerBytes: 24 * 1024 * 1024,
  /** comparisons of nodes in one page of jobs; 256 nodes are 250 KiB */
  pageExpansionBytes: 4 * 1024 * 1024,
  /** lines of devices in a job's own result */
  devicesOfJob: 2048,
  modelsOfJob: 64,
} as const;
