import { Command } from 'commander';
import { z } from 'zod';
import { reportDay } from '../market/report-day.ts';
import { describeDayReport } from './describe-day-report.ts';
import type { Edges } from './edges.ts';
import { withMarket } from './with-market.ts';

/** `ingest report <day>` */
export const dayReportCommand = (edges: Edges): Command =>
  new Command('report')
    .description('Sources read of a day against their last, votes not counted, prices that jumped')
    .argument('<day>', 'YYYY-MM-DD')
    .action(async (on: string) => {
      const day = z.iso.date().safeParse(on).data;
      if (day === undefined) throw new Error('The day must be YYYY-MM-DD.');
      await withMarket(edges, async (context) => {
        edges.stdout.write(describeDayReport(await reportDay(context, day)));
      });
    });
