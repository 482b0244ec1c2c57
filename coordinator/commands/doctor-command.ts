import { Command } from 'commander';
import { readConfig } from '../platform/config.ts';
import { examine } from '../platform/doctor/examine.ts';
import { createLog } from '../platform/log.ts';
import type { Edges } from './edges.ts';

const MARKS = { ok: '✓', note: '!', broken: '✗' } as const;

/** `doctor`: what this coordinator has and lacks; exit 1 if something is broken. */
export const doctorCommand = (edges: Edges): Command =>
  new Command('doctor')
    .description('Looks at database, clock, pool, keys, disk, artifacts, certificate and PUBLIC_URL; changes nothing')
    .option('--json', 'one JSON object per line')
    .action(async ({ json }: { json?: boolean }) => {
      const { environment, now, randomBytes } = edges;
      const config = readConfig(environment);
      const checks = await examine(config, { log: createLog(environment['LOG_LEVEL'] ?? 'error'), now, randomBytes });
      for (const check of checks) {
        const { name, state, found, remedy } = check;
        const line = `${MARKS[state]} ${name.padEnd(16)}${found}${remedy === undefined ? '' : `\n  ${''.padEnd(16)}-> ${remedy}`}`;
        edges.stdout.write(`${json === true ? JSON.stringify(check) : line}\n`);
      }
      const broken = checks.filter(({ state }) => state === 'broken').map(({ name }) => name);
      if (broken.length > 0) throw new Error(`Not ready: ${broken.join(', ')}.`);
    });
