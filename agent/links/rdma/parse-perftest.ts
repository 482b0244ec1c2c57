/** One bandwidth test as reported by perftest: the client's row, which the server prints too. */
export interface BandwidthReport {
  message_bytes: number;
  iterations: number;
  gbps: number;
  mtu: number | null;
}

/** One latency test, in microseconds of half a round trip, as perftest defines it. */
export interface LatencyReport {
  message_bytes: number;
  iterations: number;
  min_us: number;
  /** the median, "typical" in the table */
  p50_us: number;
  max_us: number;
  /** null in tables of old versions */
  p99_us: number | null;
  mtu: number | null;
}

/** A refusal: why the output cannot be parsed or is implausible. */
export interface Refused {
  refused: string;
}

/** "MB" is 2^20 bytes in perftest, although newer versions write MiB; "Gb" is 1e9 bits. */
const GBPS_PER_UNIT = new Map([
  ['MB/sec', (2 ** 20 * 8) / 1e9],
  ['MiB/sec', (2 ** 20 * 8) / 1e9],
  ['Gb/sec', 1],
]);
/** The message rate is printed in millions with six decimals; its error is half of the last one. */
const RATE_ERROR = 0.5;
const CONTRADICTION_SHARE = 0.02;

/**
 * Table of `ib_write_bw`. A row has the average twice, as bandwidth and as messages per second times their size: if the
 * two differ by more than 2 %, a column or a unit was misread, and the table is refused.
 * @param bytes requested message size; a row with another size is refused
 */
export function parseBandwidthTable(text: string, bytes: number): BandwidthReport | Refused {
  const table = readTable(text);
  if ('refused' in table) return table;
  const average = [...table.columns.keys()]
    .map((name) => /^BW average\[(.+)\]$/.exec(name))
    .find((match) => match !== null);
  const factor = GBPS_PER_UNIT.get(average?.[1] ?? '');
  if (average === undefined || average === null || factor === undefined)
    return refuse('the table has no BW average in a known unit');
  const cell = (name: string): number => table.columns.get(name) ?? Number.NaN;
  return believeBandwidth(
    {
      message_bytes: cell('#bytes'),
      iterations: cell('#iterations'),
      gbps: cell(average[0]) * factor,
      mtu: readMtu(text),
    },
    cell('MsgRate[Mpps]') * 1e6,
    bytes,
  );
}

/** Checks a figure against the other values of the same report; also used for JSON reports. */
export function believeBandwidth(
  report: BandwidthReport,
  messagesPerSecond: number,
  bytes: number,
): BandwidthReport | Refused {
  if (report.message_bytes !== bytes) return refuse(`messages of ${report.message_bytes} bytes, not ${bytes}`);
  if (!(report.iterations >= 1)) return refuse('no iteration was counted');
  if (!(report.gbps > 0) || !Number.isFinite(report.gbps)) return refuse('no bandwidth above zero');
  const byMessages = (messagesPerSecond * bytes * 8) / 1e9;
  const error = (RATE_ERROR * bytes * 8) / 1e9;
  if (!(Math.abs(byMessages - report.gbps) <= CONTRADICTION_SHARE * report.gbps + error)) {
    return refuse(`${report.gbps.toFixed(2)} Gb/s contradicts ${byMessages.toFixed(2)} by messages`);
  }
  return report;
}

/** Table of `ib_write_lat -n`; the table of `-D` has only an average and is refused. */
export function parseLatencyTable(text: string): LatencyReport | Refused {
  const table = readTable(text);
  if ('refused' in table) return table;
  const cell = (name: string): number => table.columns.get(name) ?? Number.NaN;
  return believeLatency({
    message_bytes: cell('#bytes'),
    iterations: cell('#iterations'),
    min_us: cell('t_min[usec]'),
    p50_us: cell('t_typical[usec]'),
    max_us: cell('t_max[usec]'),
    p99_us: table.columns.get('99% percentile[usec]') ?? null,
    mtu: readMtu(text),
  });
}

/** Positive and in order: min <= p50 <= p99 <= max. */
export function believeLatency(report: LatencyReport): LatencyReport | Refused {
  const inOrder = [report.min_us, report.p50_us, report.p99_us ?? report.max_us, report.max_us];
  if (!inOrder.every((value) => value > 0 && Number.isFinite(value))) return refuse('no latency above zero');
  if (inOrder.some((value, index) => value < (inOrder[index - 1] ?? 0))) return refuse('latencies out of order');
  if (!(report.iterations >= 5)) return refuse('fewer iterations than perftest allows');
  return report;
}

/** The header that begins with #bytes and the one row below it. Several rows, or cells that are not numbers, are refused. */
function readTable(text: string): { columns: Map<string, number> } | Refused {
  const lines = text.split('\n').map((line) => line.trim());
  const headers = lines.flatMap((line, index) => (line.startsWith('#bytes') ? [index] : []));
  const start = headers[0];
  if (start === undefined) return refuse('no table');
  if (headers.length > 1) return refuse('more than one table');
  // Column names may contain single blanks and are separated by two or more, except "#bytes #iterations".
  const names = (lines[start] ?? '').replace('#bytes #iterations', '#bytes  #iterations').split(/\s{2,}/);
  const rows = lines.slice(start + 1).filter((line) => /^\d/.test(line));
  if (rows.length !== 1) return refuse(rows.length === 0 ? 'a table without a row' : 'a table of several rows');
  const cells = (rows[0] ?? '').split(/\s+/);
  if (cells.length !== names.length) return refuse(`${cells.length} cells below ${names.length} names`);
  if (!cells.every((cell) => /^\d+(?:\.\d+)?$/.test(cell))) return refuse('a cell that is not a number');
  return { columns: new Map(names.map((name, index) => [name, Number(cells[index])])) };
}

/** MTU of the path, "Mtu             : 4096[B]". */
function readMtu(text: string): number | null {
  const mtu = Number(/^\s*Mtu\s*: (\d+)\[B\]/m.exec(text)?.[1] ?? Number.NaN);
  return mtu > 0 ? mtu : null;
}

const refuse = (refused: string): Refused => ({ refused });
