import { parseArgs } from 'node:util';

export interface Options {
  runner: string;
  /** null = a name made of card, driver and date */
  out: string | null;
  rounds: number;
  time_scale: number;
  /** empty = every GPU */
  devices: string[];
}

export class UsageError extends Error {
  override name = 'UsageError';
}

export const usage = `usage: device-check [--runner PATH] [--out FILE] [--rounds 3] [--time-scale 1] [--device ID]...

Runs every kernel of the runner on each GPU, compares with what PyTorch and nvbandwidth reach on the same card in the
same minutes, prints a table and writes JSON.

  --runner PATH    gpumark-runner; default native/build/gpumark-runner
  --out FILE       default native/results/CARD-DRIVER-DATE.json where that folder exists, else the current folder;
                   var/device-check/ for simulated devices
  --rounds N       1 to 20; runner and peers take turns, first the one, then the other
  --time-scale X   0.02 to 1, shortens every measurement; below 1 the quick tier's time is not judged
  --device ID      as --list names it; may be repeated, or several joined by commas

Exit codes: 0 every target met, 1 a target missed, 2 usage, 5 no GPU that can be measured, 6 a wrong result,
7 none missed, but some had no peer or were not judged, 130/143 stopped by a signal (nothing is written).
`;

/** @throws UsageError */
export function parseOptions(argv: readonly string[]): Options | 'help' {
  const values = parse(argv);
  if (values.help === true) return 'help';
  return {
    runner: values.runner ?? 'native/build/gpumark-runner',
    out: values.out ?? null,
    rounds: numberWithin('--rounds', values.rounds ?? '3', 1, 20, true),
    time_scale: numberWithin('--time-scale', values['time-scale'] ?? '1', 0.02, 1, false),
    devices: [...new Set((values.device ?? []).flatMap((list) => list.split(',')).filter((id) => id !== ''))],
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        runner: { type: 'string' },
        out: { type: 'string' },
        rounds: { type: 'string' },
        'time-scale': { type: 'string' },
        device: { type: 'string', multiple: true },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause));
  }
}

function numberWithin(name: string, text: string, least: number, most: number, whole: boolean): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  throw new UsageError(
    `${name} takes ${whole ? 'a whole number' : 'a number'} from ${least} to ${most}, not "${text}"`,
  );
}
