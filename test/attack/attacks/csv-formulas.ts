import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { gunzipSync } from 'node:zlib';
import type { Attack, Finding } from '../attack.ts';
import { coordinatorCommand } from '../coordinator-command.ts';
import type { Site } from '../site.ts';

const starts = [
  '=cmd|calc!A0',
  '@SUM(A1:A9)',
  '+1+2',
  '-2+3',
  '|x',
  '%x',
  '＝1+1',
  ' =1',
  '"=1',
  "'=1",
  '\u00a0@x',
  ';=1',
];

/** Publishes prices whose texts are formulas and broken lines, for people who open an archive in a spreadsheet. */
export const attack: Attack = {
  title: 'run a formula in the spreadsheet of a person who opens an export, or add rows to it',
  run: async (site) => {
    const header = 'date,provider,gpu_model,gpu_count,usd_per_gpu_hour,pricing,country,region,sku';
    const rows = starts.flatMap((start, at) => [
      `2026-08-02,Lambda,H100 SXM,8,${at + 2},on_demand,US,${quoted(start)},${quoted(`x${at}\n2026-08-02,1029,row`)}`,
      `2026-08-02,Lambda,H100 SXM,8,${at + 2}.5,spot,US,"a\tb",${quoted(start)}`,
    ]);
    const file = join(dirname(site.dataDir), 'hostile.csv');
    await writeFile(file, `${[header, ...rows].join('\n')}\n`);
    const ingested = await coordinatorCommand(site, 'ingest', 'observations', file);
    const built = await coordinatorCommand(site, 'archive', 'build');
    if (ingested.code !== 0 || built.code !== 0) throw new Error(`${ingested.output}\n${built.output}`);
    return [...(await archives(site, rows.length)), await catalogue(site)];
  },
};

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const isNumber = (cell: string): boolean => /^-?\d+(\.\d+)?$/.test(cell);
const runs = (cell: string): boolean =>
  cell.split(';').some((part) => /^[\s"]*[=+\-@|%]/u.test(part.normalize('NFKC'))) && !isNumber(cell);

async function archives({ innocent }: Site, count: number): Promise<Finding[]> {
  const answer = await innocent.call('POST', '/api/data-hub/gpu/archive/list', {
    body: { filter: [{ tier: 3 }, { interval: 'day' }, { type: 'rental' }] },
  });
  const [entry] = (answer.body as { data: { results: { id: string }[] } }).data.results;
  const link = await innocent.call('POST', '/api/data-hub/gpu/archive/download', { body: { id: entry?.id } });
  const { csv_download_url } = (link.body as { data: { csv_download_url: string } }).data;
  const bytes = Buffer.from(await (await fetch(csv_download_url)).arrayBuffer());
  const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8');
  const lines = text.trimEnd().split('\n').length - 1;
  const records = parse(text, { columns: true }) as Record<string, string>[];
  const formulas = records.flatMap((record) => Object.values(record)).filter(runs);
  const spots = records.filter(({ price_type }) => price_type === '-1').length;
  return [
    {
      tried: `an archive of ${count} observations whose regions and instances are formulas`,
      answer: `${formulas.length} cells begin a formula${formulas.length > 0 ? `, such as ${formulas[0]}` : ''}`,
      held: formulas.length === 0 && records.length > 0,
    },
    {
      tried: 'line breaks within texts of the archive',
      answer: `${lines} lines for ${records.length} rows`,
      held: lines === records.length && lines === count,
    },
    {
      tried: 'numbers below 0 in the same archive, which must stay numbers',
      answer: `${spots} rows have the price type -1`,
      held: spots === count / 2,
    },
  ];
}

const texts: Record<string, string> = {
  product_id: '990001',
  slug: 'evil',
  name: '=HYPERLINK("http://x")',
  chip: '@A',
  architecture: '=1+1',
  manufacturer: '+B',
  accelerator_type: 'gpu',
  source: '-C',
};

async function catalogue(site: Site): Promise<Finding> {
  const file = join(dirname(site.dataDir), 'catalog.csv');
  const exported = await coordinatorCommand(site, 'catalog', 'export');
  const header = exported.output.split('\n', 1)[0] ?? '';
  const evil = header.split(',').map((column) => quoted(texts[column] ?? ''));
  await writeFile(file, `${header}\n${evil.join(',')}\n`);
  const imported = await coordinatorCommand(site, 'catalog', 'import', file);
  const [row = ''] = (await coordinatorCommand(site, 'catalog', 'export')).output.match(/^990001,.*$/m) ?? [];
  const cells = parse(row)[0] ?? [];
  const formulas = cells.filter(runs);
  return {
    tried: 'a product whose name is a formula, in `catalog export`',
    answer: `${formulas.length} of ${cells.length} cells begin a formula`,
    held: imported.code === 0 && cells.length > 4 && formulas.length === 0,
  };
}
