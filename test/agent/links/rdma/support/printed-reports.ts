/**
 * What perftest prints, written by hand from the formats of linux-rdma/perftest (src/perftest_parameters.h and .c:
 * RESULT_FMT_G, REPORT_FMT, RESULT_FMT_LAT, ctx_print_test_info and the JSON writers) and compared with the strings
 * inside Debian's ib_write_bw and ib_write_lat 6.06. No output of RDMA hardware is among them.
 */
const LINE = '---------------------------------------------------------------------------------------';

function head(test: string): string {
  return [
    LINE,
    `                    RDMA_Write ${test} Test`,
    ' Dual-port       : OFF\t\tDevice         : mlx5_0',
    ' Number of qps   : 1\t\tTransport type : IB',
    ' Connection type : RC\t\tUsing SRQ      : OFF',
    ' PCIe relax order: ON',
    ' ibv_wr* API     : ON',
    ' CQ Moderation   : 1',
    ' Mtu             : 4096[B]',
    ' Link type       : IB',
    ' Max inline data : 0[B]',
    ' rdma_cm QPs\t : OFF',
    ' Data ex. method : Ethernet',
    LINE,
    ' local address: LID 0x11 QPN 0x0108 PSN 0x63ad7d RKey 0x17eedf VAddr 0x007f760c947000',
    ' remote address: LID 0x12 QPN 0x0076 PSN 0xf3810c RKey 0x201600 VAddr 0x007fbb4c981000',
    LINE,
  ].join('\n');
}

/** Messages a second in millions: bandwidth over the bits of a message. */
const rateOf = (gbps: number, size: number): number => (gbps * 1e9) / (8 * size) / 1e6;

export function bandwidthTable({
  size,
  iterations,
  gbps,
  unit,
}: {
  size: number;
  iterations: number;
  gbps: number;
  unit: 'Gb/sec' | 'MB/sec' | 'MiB/sec';
}): string {
  const average = unit === 'Gb/sec' ? gbps : (gbps * 1e9) / 8 / 2 ** 20;
  return [
    head('BW'),
    ` #bytes     #iterations    BW peak[${unit}]    BW average[${unit}]   MsgRate[Mpps]`,
    // In a run of fixed time there is no peak: it is printed as zero.
    ` ${size}    ${iterations}             0.00               ${average.toFixed(2)} \t\t   ${rateOf(gbps, size).toFixed(6)}`,
    LINE,
    '',
  ].join('\n');
}

export function latencyTable({
  size,
  iterations,
  typical_us,
}: {
  size: number;
  iterations: number;
  typical_us: number;
}): string {
  const cells = [0.9, 4, 1, 1.01, 0.05, 1.2, 2].map((factor) => (typical_us * factor).toFixed(2)).join('        ');
  return [
    head('Latency'),
    ' #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] ',
    ` ${size}       ${iterations}          ${cells}`,
    LINE,
    '',
  ].join('\n');
}

/** Names and order of a report of ib_write_bw that projects which read it quote. */
export function validJson(size: number, iterations: number, gbps: number): string {
  return `{
"test_info": {
"test": "RDMA_Write_BW_Test",
"Device": "mlx5_0",
"Number_of_qps": 1,
"Mtu": 4096,
"Link_type": "IB"
},
"results": {
"MsgSize": ${size},
"n_iterations": ${iterations},
"BW_peak": 0.00,
"BW_average": ${gbps.toFixed(2)},
"MsgRate": ${rateOf(gbps, size).toFixed(6)}
}
}
`;
}

/** Version 6.06 writes its names without quotes: the strings inside its program show it. */
export const brokenJson = (size: number, iterations: number, gbps: number): string =>
  validJson(size, iterations, gbps).replaceAll(/"(\w+)"/g, '$1');
