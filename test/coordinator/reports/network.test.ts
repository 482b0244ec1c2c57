import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPdf } from '../../../coordinator/reports/render-pdf.ts';
import type { JobReport, ReportNetwork } from '../../../coordinator/reports/report-model.ts';
import { ANNEX } from '../../../coordinator/reports/sections/annex.ts';
import { networkRun } from './examples/network-runs.ts';
import { largeJob } from './examples/reports.ts';
import { pdfPages, pdfText } from './pdf-text.ts';

const jobWith = (network: ReportNetwork, nodes = network.results.node_count): JobReport => ({
  ...largeJob(nodes),
  network,
});
const textOf = async (network: ReportNetwork): Promise<string> => pdfText(await renderPdf(jobWith(network)));

test('the section says the figures with count and coverage, who is bad, and the worst link with its direction', async () => {
  const faults = { tx: { 5: 0.41 }, link: { '1-0': 0.3 }, lost: [6] };
  const text = await textOf(networkRun(8, { faults }));
  assert.match(
    text,
    /21 of 28 planned links between 8 nodes measured over TCP; 2 bad nodes, 1 link bad or not cleared/,
  );
  assert.match(text, /Coverage 75\.0 % of 28 pairs/);
  assert.match(text, /gpu-006\.cluster\.example\.net sends at 0\.41 of what its peers do \(7\.8 of 19\.1 Gb\/s\)/);
  assert.match(text, /gpu-007\.cluster\.example\.net stopped answering; 7 of its 7 links/);
  // Node 1 sends to six nodes that are not lost, five beside node 0.
  assert.match(text, /1 gpu-002 → 0 gpu-001 5\.730 19\.10, n 5 0\.30 slow/);
  assert.match(text, /n = 21/);
});

test('a sound run blames nobody and still shows its slowest links', async () => {
  const text = await textOf(networkRun(8));
  assert.match(text, /28 of 28 planned links between 8 nodes measured over TCP; no bad node and no bad link found/);
  assert.match(text, /The slowest links/);
  assert.doesNotMatch(text, /Bad nodes/);
  assert.match(text, /Latency is even/);
});

test('with two nodes the report says that nobody can be blamed', async () => {
  assert.match(await textOf(networkRun(2)), /no node is blamed/);
});

test('RDMA is named with its transport and never as TCP', async () => {
  const network = networkRun(4);
  network.results = { ...network.results, transport: 'rdma_gpu', transport_note: null };
  const text = await textOf(network);
  assert.match(text, /measured over RDMA, GPU memory/);
  assert.match(
    text,
    /RDMA between the memories of the GPUs \(perftest\); these figures are not comparable with those of TCP/,
  );
});

test('why no better transport was taken is said where the run says it, and only there', async () => {
  const network = networkRun(4);
  const withNote = { ...network.results, transport_note: 'perftest is missing on 2 nodes' };
  assert.match(await textOf({ ...network, results: withNote }), /Transport: perftest is missing on 2 nodes/);
  assert.doesNotMatch(await textOf({ ...network, results: { ...withNote, transport_note: null } }), /Transport: /);
});

test('where nothing was measured nothing is averaged and no map is empty', async () => {
  const text = await textOf(networkRun(4, { faults: { lost: [0, 1, 2, 3] } }));
  assert.match(text, /0 of 6 planned links .* 4 bad nodes/);
  assert.match(text, /Average not measured/);
  assert.doesNotMatch(text, /Bandwidth of every link/);
});

test('groups, one-way pairs, contention and links not cleared are said', async () => {
  const network = networkRun(6);
  network.results = {
    ...network.results,
    partitions: [
      [0, 1, 2, 3],
      [4, 5],
    ],
    one_way_pairs: [{ from: 0, to: 1 }],
    contended_links: [1, 2, 3],
    unconfirmed_links: 2,
  };
  const text = await textOf(network);
  assert.match(
    text,
    /2 groups that do not reach each other – group 1 \(4 nodes\): 0 gpu-001, .*; group 2 \(2 nodes\): 4 gpu-005, 5 gpu-006/,
  );
  assert.match(text, /1 pair could be connected in one direction only/);
  assert.match(text, /3 links slow together with others and good alone/);
  assert.match(text, /2 suspect links not measured again alone twice/);
});

test('collective operations stand by size, a simulated library says so, wrong data are not a result', async () => {
  const network = networkRun(4);
  const size = (bytes: number) => ({ bytes, seconds: 0.002, algorithm_gbs: 150, bus_gbs: 281.25 });
  const collective = {
    library: 'nccl',
    version: '2.28.3',
    ranks: 32,
    nodes: 4,
    all_reduce: [size(1e9), size(1e6)],
    broadcast: [size(1e9)],
  } as const;
  const results = (flags: { verified: boolean; simulated: boolean }): ReportNetwork => ({
    ...network,
    results: {
      ...network.results,
      collective: {
        ...collective,
        all_reduce: [...collective.all_reduce],
        broadcast: [...collective.broadcast],
        ...flags,
      },
    },
  });
  const text = await textOf(results({ verified: true, simulated: true }));
  assert.match(text, /Collective operations: NCCL 2\.28\.3, 32 ranks on 4 nodes SIMULATED/);
  assert.match(text, /1\.000 MB 2\.000 281\.3 – –/);
  assert.match(await textOf(results({ verified: false, simulated: false })), /The data were wrong/);
});

test('a size that the host bounded says so, for the operation it was; one that does not say how it was timed is not called bound', async () => {
  const network = networkRun(4);
  const size = (bytes: number, held?: boolean) => ({
    bytes,
    seconds: 0.002,
    algorithm_gbs: 150,
    bus_gbs: 281.25,
    ...(held !== undefined && { held_until_enqueued: held }),
  });
  const withSizes = (all_reduce: ReturnType<typeof size>[], broadcast: ReturnType<typeof size>[]): ReportNetwork => {
    const library = { library: 'nccl', version: '2.28.3', ranks: 32, nodes: 4 } as const;
    const collective = { ...library, all_reduce, broadcast, verified: true, simulated: false };
    return { ...network, results: { ...network.results, collective } };
  };
  const bound = await textOf(
    withSizes([size(1e6, false), size(4e6, false), size(16e6, true)], [size(1e6, false), size(4e6, true), size(16e6)]),
  );
  assert.match(bound, /1\.000 MB 2\.000 281\.3 2\.000 281\.3 all-reduce, broadcast/);
  assert.match(bound, /4\.000 MB 2\.000 281\.3 2\.000 281\.3 all-reduce (?!,)/);
  assert.match(bound, /16\.00 MB 2\.000 281\.3 2\.000 281\.3 –/);
  assert.match(bound, /Bound by the host: the library waited for the device in its calls/);
  assert.doesNotMatch(await textOf(withSizes([size(1e6, true)], [size(1e6)])), /Bound by the host/);
});

test('256 nodes with all pairs stay within 17 pages, an annex and 300 kB, every number has its name', async () => {
  const network = networkRun(256, {
    faults: { tx: { 50: 0.5 }, late: { 7: 300 }, link: { '20-21': 0.3 }, lost: [200] },
  });
  const pdf = await renderPdf(jobWith(network));
  assert(pdf.length < 300_000, `${pdf.length} bytes`);
  const pages = pdfPages(pdf);
  assert(pages.findIndex((page) => page.includes(ANNEX)) <= 17, `${pages.length} pages`);
  const text = pages.join(' ').replaceAll(/\s+/g, ' ');
  for (const words of ['Bandwidth of every link', 'Latency of every link', '255 gpu-256', '20 gpu-021 → 21 gpu-022'])
    assert(text.includes(words), words);
  assert.match(text, /gpu-256\.cluster\.example\.net/, 'and the table of nodes is still there');
});

test('the worst run stays within 17 pages and an annex: all nodes bad, all names long, nothing in common', async () => {
  const network = networkRun(256, { degree: 16 });
  const { results } = network;
  const name = (node: number) => `${node}-${'long-name-'.repeat(24)}${node}`;
  network.results = {
    ...results,
    nodes: results.nodes.map((node) => ({ ...node, name: name(node.node) })),
    bad_nodes: results.nodes.map(({ node, machine_uuid }) => ({
      node,
      machine_uuid,
      name: name(node),
      reason: 'slow',
      direction: 'tx',
      factor: 0.5,
      measured: 9,
      expected: 18,
      unit: 'Gb/s',
      message: `${name(node)} sends at 0.50 of what its peers do (9.0 of 18.0 Gb/s).`,
    })),
    partitions: results.nodes.map(({ node }) => [node]),
    notes: Array.from({ length: 20 }, (_, at) => `note ${at} ${'word '.repeat(50)}`),
  };
  const pages = pdfPages(await renderPdf(jobWith(network)));
  assert(pages.findIndex((page) => page.includes(ANNEX)) <= 17, `${pages.length} pages`);
  assert.match(pages.join(' '), /216 more bad nodes are kept with the results/);
});
