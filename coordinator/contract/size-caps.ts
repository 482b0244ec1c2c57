/**
 * Most that is kept of one node and one job, in bytes of JSON as Postgres writes it. Measured with 100 sensor points, plus
 * 4 KiB for 256: a processor with all its details takes 18 KiB (13 of them `details`), a GPU up to 46 KiB (7 of them its
 * sensor series), a cell of the copies between two GPUs 225 bytes, the inventory of a node of 8 GPUs 3 KiB.
 *
 *   8 GPUs:    8 x 46 KiB + 56 cells x 225 B          = 380 KiB
 *   64 GPUs:  64 x 46 KiB + 4,032 cells x 225 B       = 3.7 MiB   -> result 4 MiB
 *   4 configurations of 64 GPUs, or 20 of 16          = 15.4 MiB  -> task 16 MiB
 *   256 nodes of 8 GPUs: 256 x 380 KiB                = 95 MiB    -> job 128 MiB
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
  resultBytes: 4 * 1024 * 1024,
  taskBytes: 16 * 1024 * 1024,
  jobBytes: 128 * 1024 * 1024,
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
