import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { exportCatalogue, importCatalogue } from '../catalog/catalogue-table.ts';
import { exportProviders, importProviders } from '../market/providers-table.ts';
import type { Context } from '../platform/context.ts';
import type { Edges } from './edges.ts';
import { withMarket } from './open-platform.ts';

/** `catalog` and `providers`: the accelerators that prices are for, and who offers them. */
export const marketTableCommands = (edges: Edges): Command[] => [
  tableCommand(edges, {
    name: 'catalog',
    description: 'The accelerators that prices and figures are of',
    rows: 'products',
    toCsv: exportCatalogue,
    fromCsv: importCatalogue,
  }),
  tableCommand(edges, {
    name: 'providers',
    description: 'Who offers accelerators, under which names, as what kind of seller',
    rows: 'providers',
    toCsv: exportProviders,
    fromCsv: importProviders,
  }),
];

interface Table {
  name: string;
  description: string;
  /** what its rows are called: 'products' */
  rows: string;
  toCsv: (context: Context) => Promise<string>;
  /** all of the rows or none; throws one sentence that names file, row and column */
  fromCsv: (context: Context, file: string, content: string) => Promise<{ rows: number }>;
}

/** `<name> export [file]` and `<name> import <file>` for a table that operators may extend. */
const tableCommand = (edges: Edges, { name, description, rows, toCsv, fromCsv }: Table): Command =>
  new Command(name)
    .description(description)
    .addCommand(
      new Command('export')
        .description('writes the table as CSV')
        .argument('[file]', 'standard output if omitted')
        .action(async (file: string | undefined) => {
          await withMarket(edges, async (context) => {
            const content = await toCsv(context);
            if (file === undefined) edges.stdout.write(content);
            else await writeFile(file, content);
          });
        }),
    )
    .addCommand(
      new Command('import')
        .description('reads rows in the form that export writes; all of the file or nothing')
        .argument('<file>')
        .action(async (file: string) => {
          const content = await readFile(file, 'utf8');
          await withMarket(edges, async (context) => {
            const { rows: imported } = await fromCsv(context, file, content);
            edges.stdout.write(`${file}: ${imported} ${rows} imported\n`);
          });
        }),
    );
