/** Sources of programs that imitate the check's peers. Each call is logged as one line of JSON. */

const log = (path: string): string => `
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const log = ${JSON.stringify(path)};
const calls = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\\n').length : 0;
appendFileSync(log, JSON.stringify({ argv: process.argv.slice(2), devices: process.env.CUDA_VISIBLE_DEVICES }) + '\\n');
`;

/** python3 with a torch that reaches `first` times 1, 2, 3, ... in its calls; on the device it was kept to, or on `uuid`. */
export const fakeTorch = (logPath: string, first: Record<string, number>, uuid: string | null = null): string => `
${log(logPath)}
const figures = Object.fromEntries(Object.entries(${JSON.stringify(first)}).map(
  ([name, value]) => [name, { median: value * (calls + 1), n: 20, cv: 0.001 }]));
process.stdin.resume().on('end', () => process.stdout.write(JSON.stringify({
  schema: 'gpumark.torch-peer/1', torch: '2.99.0', cuda: '13.0', hip: null,
  device: { name: 'Fake', uuid: ${JSON.stringify(uuid)} ?? process.env.CUDA_VISIBLE_DEVICES.slice(4), pci_id: null, visible_devices: 1 },
  matrix_library: null, kept_to_numa_node: null, figures }) + '\\n'));
`;

/** nvbandwidth that reaches the same in both directions. */
export const fakeNvbandwidth = (logPath: string, gbs: number): string => `
${log(logPath)}
const test = (name) => ({ name, status: 'Passed', bandwidth_matrix: [['${gbs}']] });
process.stdout.write(JSON.stringify({ nvbandwidth: { version: 'v0.9',
  testcases: [test('host_to_device_memcpy_ce'), test('device_to_host_memcpy_ce')] } }));
`;
