/**
 * Features of a build of perftest, from its help text: builds differ by distribution, so the version alone is not
 * enough.
 */
export interface PerftestFeatures {
  version: string;
  /** JSON report to a given file; version 6.06 writes invalid JSON */
  json_file: boolean;
  /** option that binds its TCP socket to an address; null: it listens on all addresses of the machine */
  bind_option: '--bind_source_ip' | '--source_ip' | null;
  cuda: boolean;
  cuda_bus_id: boolean;
  cuda_dmabuf: boolean;
  rocm: boolean;
  rocm_dmabuf: boolean;
}

/** Required to measure within a slot. All have existed since version 4. */
const NEEDED = [
  '--ib-dev',
  '--ib-port',
  '--gid-index',
  '--port',
  '--size',
  '--duration',
  '--margin',
  '--iters',
  '--CPU-freq',
  '--cq-mod',
  '--report_gbits',
];

/**
 * @param help output of `ib_write_bw --help`
 * @param version output of `ib_write_bw --version`, such as `Version: 6.06`
 * @returns the features, or the reason why this perftest is unusable
 */
export function readFeatures(help: string, version: string): PerftestFeatures | string {
  const number = /^Version: (\S{1,50})\s*$/m.exec(version)?.[1];
  if (number === undefined) return 'ib_write_bw does not report its version: it is not perftest';
  const options = new Set(help.match(/(?<=^|[\s,])--[A-Za-z][A-Za-z0-9_-]*/g) ?? []);
  const missing = NEEDED.filter((option) => !options.has(option));
  if (missing.length > 0) return `ib_write_bw ${number} has no ${missing.join(', ')}`;
  return {
    version: number,
    json_file: options.has('--out_json') && options.has('--out_json_file'),
    bind_option: (['--bind_source_ip', '--source_ip'] as const).find((option) => options.has(option)) ?? null,
    cuda: options.has('--use_cuda'),
    cuda_bus_id: options.has('--use_cuda_bus_id'),
    cuda_dmabuf: options.has('--use_cuda_dmabuf'),
    rocm: options.has('--use_rocm'),
    rocm_dmabuf: options.has('--use_rocm_dmabuf'),
  };
}
