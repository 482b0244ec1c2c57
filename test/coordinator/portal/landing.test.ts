import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { realFigures } from '../../../coordinator/portal/pages/real-cards.ts';
import { testApp } from '../../support/app.ts';
import { root } from '../../support/source-files.ts';
import { pdfPages } from '../reports/pdf-text.ts';
import { browser } from './browser-session.ts';

const app = await testApp({ after });
const stranger = browser(app);
const text = async (it: ReturnType<typeof browser>, path: string): Promise<string> => (await it.get(path)).text();

test('a stranger is led to a sign-up only by a service that sends mail, on no page otherwise', async () => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'gpumark <noreply@gpumark.test>' };
  const mailing = browser(await testApp({ after }, { environment: mail }));
  for (const path of ['/', '/sign-in', '/method', '/health-rules', '/reset']) {
    assert.doesNotMatch(await text(stranger, path), /href="\/sign-up"|Sign up/, path);
    assert.match(await text(mailing, path), /href="\/sign-up"/, path);
  }
});

test('the landing page asks the question, shows a sample and real figures, and loads nothing from elsewhere', async () => {
  const page = await text(stranger, '/');
  assert.match(page, /<h1>Are your GPUs what you paid for\?<\/h1>/);
  for (const link of ['/sign-in', '/sample-report.pdf', '/method'])
    assert.match(page, new RegExp(`href="${link.replace('.', '\\.')}"`));
  const image = /<img\s+src="([^"]+)"/.exec(page)?.[1] ?? assert.fail(page);
  const answer = await stranger.get(image);
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png']);
  assert.doesNotMatch(page, /(?:src|href)="https?:/);
  assert.match(page, /GPUMARK_API_KEY=JOB_TOKEN gpumark-agent/, 'the line, without a token');
});

test('the sample report opens without an account and says on every page that it is simulated', async () => {
  const answer = await stranger.get('/sample-report.pdf');
  assert.equal(answer.headers.get('content-type'), 'application/pdf');
  const pages = pdfPages(Buffer.from(await answer.arrayBuffer()));
  assert.ok(pages.length > 1);
  for (const page of pages) assert.match(page, /SIMULATED/i);
});

const results = join(root, 'native', 'results');
interface Run {
  cards: { card: string }[];
  devices: { rows: { id: string; median: number; peer: { name: string; median: number } | null }[] }[];
  simulated: boolean;
}
const runs = readdirSync(results)
  .filter((name) => name.endsWith('.json'))
  .map((name): Run => JSON.parse(readFileSync(join(results, name), 'utf8')));

test('the real figures are those of native/results: medians of its files, and products by its table', () => {
  const read = readFileSync(join(results, 'README.md'), 'utf8');
  /** `| H200 | 673 | 1267 | 339 | 52.1 |` below the names of its columns. */
  const productsOf = (model: string): Record<string, string> => {
    const names = /^\| \| (bf16 \| fp8 \| TF32 \| fp64) \|$/m.exec(read)?.[1]?.split(' | ') ?? [];
    const values =
      new RegExp(`^\\| ${model} \\| ([\\d.]+(?: \\| [\\d.]+){3}) \\|$`, 'm').exec(read)?.[1]?.split(' | ') ?? [];
    assert.equal(values.length, 4, model);
    return Object.fromEntries(names.map((name, at) => [`${name} product`, values[at] ?? '']));
  };
  for (const [field, model, card] of [
    ['h100', 'H100', 'NVIDIA H100 80GB HBM3'],
    ['h200', 'H200', 'NVIDIA H200'],
  ] as const) {
    const run = runs.find(({ cards }) => cards[0]?.card === card) ?? assert.fail(card);
    assert.equal(run.simulated, false);
    const products = productsOf(model);
    for (const { label, row, ...values } of realFigures) {
      const median = run.devices[0]?.rows.find(({ id }) => id === row)?.median;
      const expected = row === null ? products[label] : median;
      const digits = String(values[field]).split('.')[1]?.length ?? 0;
      assert.equal(Number(expected).toFixed(digits), values[field].toFixed(digits), `${model} ${label}`);
    }
  }
});

test('the page of the method says how far PyTorch was from these figures, and it was no further', async () => {
  const page = (await text(stranger, '/method')).replaceAll(/\s+/g, ' ');
  const [, memory = '', products = '', lanes = ''] =
    /agree within ([\d.]+) %, products of the vendor’s library within ([\d.]+) %\. Multiply-adds reach ([\d.]+) % of/.exec(
      page,
    ) ?? assert.fail(page);
  for (const [field, card] of [
    ['h100', 'NVIDIA H100 80GB HBM3'],
    ['h200', 'NVIDIA H200'],
  ] as const) {
    const rows = runs.find(({ cards }) => cards[0]?.card === card)?.devices[0]?.rows ?? [];
    const peerOf = (id: string) => rows.find((row) => row.id === id)?.peer ?? null;
    for (const { label, row, ...values } of realFigures) {
      const type = /^(\w+) product$/.exec(label)?.[1]?.toLowerCase();
      const peer = peerOf(row ?? `vendor_${type}_tflops`);
      if (peer === null) continue;
      const apart = Math.abs(values[field] / peer.median - 1) * 100;
      if (row === 'fma_fp32_tflops')
        assert.equal(Math.round((values[field] / peer.median) * 100), Number(lanes), label);
      else {
        assert.match(peer.name, /^torch 2\.11\./);
        assert.ok(apart <= Number(row === null ? products : memory), `${card} ${label}: ${apart} %`);
      }
    }
  }
});
