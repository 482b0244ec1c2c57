import { Command, Option } from 'commander';
import { z } from 'zod';
import { buildCurveArchives } from '../forward/curve-archive.ts';
import { buildArchives } from '../market/archive/archives.ts';
import { buildTokenArchives } from '../tokens/files.ts';
import type { Edges } from './edges.ts';
import { withMarket } from './open-platform.ts';

const day = z.iso.date('must be YYYY-MM-DD');
const builders = { gpu: buildArchives, tokens: buildTokenArchives, forward: buildCurveArchives };
const areas = { ...builders, all: null };

/** `archive build [--from <day>] [--to <day>] [--area <area>]`. */
export const archiveCommand = (edges: Edges): Command =>
  new Command('archive').description('CSV files of prices for downloading').addCommand(
    new Command('build')
      .description('builds the files whose periods have prices of these days; what is built already is left')
      .option('--from <day>', 'first day (YYYY-MM-DD)', '1970-01-01')
      .option('--to <day>', 'last day', '9999-12-31')
      .addOption(new Option('--area <area>', 'prices of what').choices(Object.keys(areas)).default('all'))
      .action(async (given: { from: string; to: string; area: keyof typeof areas }) => {
        const [from, to] = [day.safeParse(given.from), day.safeParse(given.to)];
        if (!from.success || !to.success) throw new Error('--from and --to: must be YYYY-MM-DD');
        await withMarket(edges, async (context) => {
          const counts = { built: 0, known: 0, rows: 0 };
          for (const [area, build] of Object.entries(builders)) {
            if (given.area !== 'all' && given.area !== area) continue;
            for await (const { outcome, rows } of build(context, { from: from.data, to: to.data })) {
              counts[outcome] += 1;
              counts.rows += rows;
            }
          }
          edges.stdout.write(
            `${counts.built} files built with ${counts.rows} rows, ${counts.known} were there already\n`,
          );
        });
      }),
  );
