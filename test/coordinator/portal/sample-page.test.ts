import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { SAMPLE_PAGE } from '../../../coordinator/portal/pages/landing.ts';
import { samplePdf } from '../../../coordinator/reports/sample-report.ts';
import { matchesGolden } from '../../support/golden.ts';
import { root } from '../../support/source-files.ts';
import { pdfPages } from '../reports/pdf-text.ts';

const picture = join(root, 'coordinator', 'portal', 'styles', 'sample-page.png');

test('the picture on the landing page is page 1 of the sample report as it is rendered now', async () => {
  const pdf = await samplePdf();
  // The picture is drawn anew whenever the words of the page may change; it needs pdftoppm of poppler-utils.
  if (process.env['UPDATE_GOLDEN'] === '1') draw(pdf);
  await matchesGolden('portal/sample-page.txt', pdfPages(pdf)[0] ?? '');
  const png = readFileSync(picture);
  assert.deepEqual({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) }, SAMPLE_PAGE);
});

function draw(pdf: Buffer): void {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-sample-'));
  try {
    writeFileSync(join(folder, 'sample.pdf'), pdf);
    const page = ['-png', '-r', '100', '-f', '1', '-l', '1', '-singlefile'];
    execFileSync('pdftoppm', [...page, join(folder, 'sample.pdf'), join(folder, 'page')]);
    writeFileSync(picture, readFileSync(join(folder, 'page.png')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
