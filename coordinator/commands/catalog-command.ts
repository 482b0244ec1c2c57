import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { exportCatalogue } from '../catalog/export-catalogue.ts';
import { importCatalogue } from '../catalog/import-catalogue.ts';
import type { Edges } from './edges.ts';
import { withMarket } from './with-market.ts';

/** `catalog export [file]`, `catalog import <file>`. */
export const catalogCommand = (edges: Edges): Command =>
  new Command('catalog')
    .description('The accelerators that prices and figures are of')
    .addCommand(
      new Command('export')
        .description('writes the catalogue as CSV')
        .argument('[file]', 'standard output if omitted')
        .action(async (file: string | undefined) => {
          await withMarket(edges, async (context) => {
            const content = await exportCatalogue(context);
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
            const { rows } = await importCatalogue(context, file, content);
            edges.stdout.write(`${file}: ${rows} products imported\n`);
          });
        }),
    );
