import { z } from 'zod';
import { believeBandwidth, believeLatency } from './parse-perftest.ts';
import type { BandwidthReport, LatencyReport, Refused } from './parse-perftest.ts';

const number = z.number().finite();
const info = z.object({ Mtu: number.optional() }).optional();
const bandwidthJson = z.object({
  test_info: info,
  results: z.object({ MsgSize: number, n_iterations: number, BW_average: number, MsgRate: number }),
});
const latencyJson = z.object({
  test_info: info,
  results: z.object({
    MsgSize: number,
    n_iterations: number,
    t_min: number,
    t_max: number,
    t_typical: number,
    percentile_99: number,
  }),
});

/**
 * Report of `--out_json_file` with `--report_gbits`. It does not name its unit, which is checked against the message
 * rate (see believeBandwidth).
 * @returns null if the text is not JSON, as in version 6.06, which writes names without quotes; then the table is used
 */
export function parseBandwidthJson(text: string, bytes: number): BandwidthReport | Refused | null {
  const json = readJson(text);
  if (json === null) return null;
  const read = bandwidthJson.safeParse(json);
  if (!read.success) return { refused: 'a JSON report in an unknown format' };
  const { results, test_info } = read.data;
  const report = {
    message_bytes: results.MsgSize,
    iterations: results.n_iterations,
    gbps: results.BW_average,
    mtu: test_info?.Mtu ?? null,
  };
  return believeBandwidth(report, results.MsgRate * 1e6, bytes);
}

/** Like parseBandwidthJson, for `ib_write_lat -n`. */
export function parseLatencyJson(text: string): LatencyReport | Refused | null {
  const json = readJson(text);
  if (json === null) return null;
  const read = latencyJson.safeParse(json);
  if (!read.success) return { refused: 'a JSON report in an unknown format' };
  const { results, test_info } = read.data;
  return believeLatency({
    message_bytes: results.MsgSize,
    iterations: results.n_iterations,
    min_us: results.t_min,
    p50_us: results.t_typical,
    max_us: results.t_max,
    p99_us: results.percentile_99,
    mtu: test_info?.Mtu ?? null,
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
