import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBandwidthTable, parseLatencyTable } from '../../../../agent/links/rdma/parse-perftest.ts';
import { parseBandwidthJson, parseLatencyJson } from '../../../../agent/links/rdma/parse-report-json.ts';
import { readRecorded } from './support/fake-tools.ts';
import { bandwidthTable, brokenJson, latencyTable, validJson } from './support/printed-reports.ts';

const MIB = 2 ** 20;
const row = { size: MIB, iterations: 46_730, gbps: 392 } as const;

test('the average of a table in Gb/s is used unchanged, with the number and size of messages and the path MTU', () => {
  const report = parseBandwidthTable(bandwidthTable({ ...row, unit: 'Gb/sec' }), MIB);
  assert.deepEqual(report, { message_bytes: MIB, iterations: 46_730, gbps: 392, mtu: 4096 });
});

for (const unit of ['MB/sec', 'MiB/sec'] as const) {
  test(`${unit} is 2^20 bytes per second`, () => {
    const report = parseBandwidthTable(bandwidthTable({ ...row, unit }), MIB);
    // 392e9 / 8 / 2^20 = 46,730.04 of them: two decimals of 2^23 bits are less than 0.0001 Gb/s.
    assert.ok('gbps' in report && Math.abs(report.gbps - 392) < 0.0001, JSON.stringify(report));
  });
}

test('a unit that contradicts the message rate of the same row is refused', () => {
  const text = bandwidthTable({ ...row, unit: 'Gb/sec' }).replaceAll('Gb/sec', 'MB/sec');
  // 392 MiB/s are 3.29 Gb/s; 0.046730 million messages of 1 MiB are 392.
  assert.deepEqual(parseBandwidthTable(text, MIB), { refused: '3.29 Gb/s contradicts 392.00 by messages' });
});

test('a slow link, whose message rate has one digit, is accepted', () => {
  // 0.06 Gb/s are 7 messages of 1 MiB a second: 0.000007 million.
  const report = parseBandwidthTable(bandwidthTable({ size: MIB, iterations: 7, gbps: 0.06, unit: 'Gb/sec' }), MIB);
  assert.ok('gbps' in report && report.gbps === 0.06, JSON.stringify(report));
});

const table = bandwidthTable({ ...row, unit: 'Gb/sec' });
const strange: Record<string, [string, string]> = {
  'a table of another message size': [table.replace(' 1048576 ', ' 65536 '), 'messages of 65536 bytes, not 1048576'],
  'a table without a row': [table.replace(/^ 1048576.*$/m, ''), 'a table without a row'],
  'two rows, as of all sizes': [table.replace(/^( 1048576.*)$/m, '$1\n$1'), 'a table of several rows'],
  'both directions in two tables': [table + table, 'more than one table'],
  'zero bandwidth': [table.replace('392.00', '0.00'), 'no bandwidth above zero'],
  'infinite bandwidth': [table.replace('392.00', 'inf'), 'a cell that is not a number'],
  'nothing at all': ['', 'no table'],
  'what the real program prints without a device': [readRecorded('ib_write_bw-6.06-no-device.stderr.txt'), 'no table'],
  'the help text': [readRecorded('ib_write_bw-6.06-help.txt'), 'no table'],
  'an unknown unit': [table.replaceAll('[Gb/sec]', '[TB/sec]'), 'the table has no BW average in a known unit'],
  'a column more than names': [table.replace('392.00', '392.00 7'), '6 cells below 5 names'],
  'a latency table': [
    latencyTable({ size: 2, iterations: 1000, typical_us: 2 }),
    'the table has no BW average in a known unit',
  ],
};
for (const [name, [text, refused]] of Object.entries(strange)) {
  test(`refused as bandwidth: ${name}`, () => assert.deepEqual(parseBandwidthTable(text, MIB), { refused }));
}

test('a latency table gives median, minimum, maximum and p99 of half a round trip', () => {
  assert.deepEqual(parseLatencyTable(latencyTable({ size: 2, iterations: 1000, typical_us: 2 })), {
    message_bytes: 2,
    iterations: 1000,
    min_us: 1.8,
    p50_us: 2,
    max_us: 8,
    p99_us: 2.4,
    mtu: 4096,
  });
});

test('a latency table of three figures, as old versions print it, has no p99', () => {
  // RESULT_FMT_LAT of versions before 2017.
  const text =
    ' #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]\n 2       1000          0.84        3.20      0.89   \n';
  const report = parseLatencyTable(text);
  assert.ok('p50_us' in report);
  assert.deepEqual([report.p50_us, report.p99_us], [0.89, null]);
});

test('latencies that are out of order, zero, or averages only are refused', () => {
  const text = latencyTable({ size: 2, iterations: 1000, typical_us: 2 });
  assert.deepEqual(parseLatencyTable(text.replace(' 8.00 ', ' 1.00 ')), { refused: 'latencies out of order' });
  assert.deepEqual(parseLatencyTable(text.replace(' 1.80 ', ' 0.00 ')), { refused: 'no latency above zero' });
  const duration =
    ' #bytes        #iterations       t_avg[usec]    tps average\n 2       100000            0.91        549450.55\n';
  assert.deepEqual(parseLatencyTable(duration), { refused: 'no latency above zero' });
});

test('a JSON report is checked by the same rules as a table', () => {
  assert.deepEqual(parseBandwidthJson(validJson(MIB, 46_730, 392), MIB), {
    message_bytes: MIB,
    iterations: 46_730,
    gbps: 392,
    mtu: 4096,
  });
  // Without --report_gbits the average is in MiB/s and does not say so.
  const mebibytes = validJson(MIB, 46_730, 392).replace('392.00', '46730.04');
  assert.deepEqual(parseBandwidthJson(mebibytes, MIB), { refused: '46730.04 Gb/s contradicts 392.00 by messages' });
  assert.deepEqual(parseBandwidthJson('{"results": {"bw_avg": 392}}', MIB), {
    refused: 'a JSON report in an unknown format',
  });
});

test('the report of 6.06, whose names have no quotes, is not JSON: the table is used', () => {
  assert.equal(parseBandwidthJson(brokenJson(MIB, 46_730, 392), MIB), null);
  assert.equal(parseLatencyJson('{\nresults: {\nt_typical: 2.00,\n'), null);
});

test('a JSON report of latency gives the same as its table', () => {
  const results = {
    MsgSize: 2,
    n_iterations: 1000,
    t_min: 1.8,
    t_max: 8,
    t_typical: 2,
    t_avg: 2.02,
    t_stdev: 0.1,
    percentile_99: 2.4,
  };
  const report = parseLatencyJson(
    JSON.stringify({ test_info: { Mtu: 4096 }, results: { ...results, 'percentile_99.9': 4 } }),
  );
  assert.deepEqual(report, parseLatencyTable(latencyTable({ size: 2, iterations: 1000, typical_us: 2 })));
});
