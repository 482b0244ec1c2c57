import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { priceStrip } from '../charts/price-strip.ts';
import { chartFile } from '../charts/standalone.ts';
import { chartWidths } from '../charts/svg-parts.ts';
import { predictRequest, type PredictRequest, type Prediction } from '../contract/prediction.ts';
import { hotMarket } from '../market/hot-market.ts';
import { hotModel } from '../prediction/hot-model.ts';
import { predict } from '../prediction/predict.ts';
import { runBacktest } from '../prediction/run-backtest.ts';
import { train } from '../prediction/train.ts';
import { describeBacktest } from './describe-backtest.ts';
import type { Edges } from './edges.ts';
import { withMarket } from './open-platform.ts';

const MOST_DAYS = 180;

const trainCommand = (edges: Edges): Command =>
  new Command('train')
    .description(
      'trains a model of the prices of a year; it serves if it passes its back-test, else the one before it stays',
    )
    .option('--accept', 'serve it whatever its back-test says')
    .action(async ({ accept = false }: { accept?: boolean }) => {
      await withMarket(edges, async (context) => {
        const training = await train(context, { accept });
        if (training === null)
          throw new Error('There are no rental prices; `ingest --list` shows where they come from.');
        const { model_version, outcome, why, document, bytes } = training;
        const { backtest, votes, providers, as_of, coefficients } = document;
        edges.stdout.write(
          [
            `${model_version}: ${votes} votes of ${providers} providers up to ${as_of}, ${coefficients.length} coefficients, ${bytes} bytes`,
            `back-test of ${backtest.votes} votes: median APE ${percent(backtest.median_ape)}, MAPE ${percent(backtest.mape)}, in the 80 % interval ${percent(backtest.coverage_80)}`,
            outcome === 'serving'
              ? 'it serves now'
              : outcome === 'unchanged'
                ? 'it is the one that serves already'
                : `refused: ${why}; --accept takes it nevertheless`,
            '',
          ].join('\n'),
        );
        if (outcome === 'refused') throw new Error('The model that served before still does.');
      });
    });

/** `prediction train [--accept]`, `prediction ask <gpu> --country <code>`, `prediction backtest [--last-days N]`. */
export const predictionCommands = (edges: Edges): Command =>
  new Command('prediction')
    .description('The model that predicts prices')
    .addCommand(trainCommand(edges))
    .addCommand(
      new Command('ask')
        .description('predicts one price as the API does, and prints the answer as JSON')
        .argument('<gpu>', 'slug, name or label of a product')
        .requiredOption('--country <code>', 'two letters (ISO 3166-1)')
        .option('--gpus <n>', 'GPUs of one machine', '1')
        .option('--chart <file>', 'writes its distribution with the comparable offers as SVG')
        .action(async (gpu: string, { country, gpus, chart }: { country: string; gpus: string; chart?: string }) => {
          const asked = predictRequest.safeParse({ gpu_name: gpu, country, gpu_count: Number(gpus) });
          if (!asked.success)
            throw new Error(asked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
          await withMarket(edges, async (context) => {
            const [market, model] = await Promise.all([hotMarket(context)(), hotModel(context)()]);
            const answer = predict(market, model, asked.data);
            edges.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
            if (chart !== undefined) await writeFile(chart, chartOf(answer, asked.data));
          });
        }),
    )
    .addCommand(
      new Command('backtest')
        .description('prints how far off it is: providers left out one at a time, and the last days left out')
        .option('--last-days <n>', 'days that are left out at the end', '14')
        .action(async ({ lastDays }: { lastDays: string }) => {
          const days = Number(lastDays);
          if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
            throw new Error(`--last-days: must be 1 to ${MOST_DAYS}`);
          await withMarket(edges, async (context) => {
            const found = await runBacktest(context, { lastDays: days });
            if (found === null)
              throw new Error('There are no rental prices; `ingest --list` shows where they come from.');
            edges.stdout.write(describeBacktest(found, days));
          });
        }),
    );

function chartOf(answer: Prediction, { country = '', gpu_count }: PredictRequest): string {
  const { product_slug, predicted_price: predicted, percentiles, comparable_offers: offers } = answer;
  const title = `${product_slug}, ${gpu_count} in ${country}: ◆ predicted, dashed the median, points comparable offers`;
  return chartFile(priceStrip({ predicted, ...percentiles, offers }, chartWidths.wide), title);
}

/** The same as `prediction train`, by its short name. */
export const shortTrainCommand = (edges: Edges): Command => trainCommand(edges);

const percent = (value: number | null): string => (value === null ? 'not judged' : `${(100 * value).toFixed(1)} %`);
