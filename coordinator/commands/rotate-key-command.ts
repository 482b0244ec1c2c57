import { Argument, Command } from 'commander';
import { jobsAtStake, rotateSigningKey } from '../accounts/rotate-signing-key.ts';
import type { Context } from '../platform/context.ts';
import type { Edges } from './edges.ts';
import { withAccounts } from './open-platform.ts';

const purposes = ['login', 'job'] as const;
type Purpose = (typeof purposes)[number];

export const rotateKeyCommand = (edges: Edges): Command =>
  new Command('rotate')
    .description('Begins the next signing key; tokens of the old one stay valid until they expire')
    .addArgument(new Argument('[purpose]', 'which tokens; both if omitted').choices(purposes))
    .option('--now', 'the old keys stop at once: everybody logs in again; open jobs lose their tokens for good')
    .option('--yes', 'with --now for job tokens: go on although jobs are open')
    .action((purpose: Purpose | undefined, { now = false, yes = false }: { now?: boolean; yes?: boolean }) =>
      withAccounts(edges, async (context) => {
        const chosen = purpose === undefined ? purposes : [purpose];
        if (now && !yes && chosen.includes('job')) await refuseWithOpenJobs(context);
        for (const one of chosen) {
          const { kid } = await rotateSigningKey(context, { purpose: one, atOnce: now });
          const ended = now ? '; what older keys signed is refused within half a second' : '';
          edges.stdout.write(`${kid} signs ${one} tokens from now on${ended}\n`);
        }
      }),
    );

async function refuseWithOpenJobs(context: Context): Promise<void> {
  const { open, started } = await jobsAtStake(context);
  if (open === 0) return;
  throw new Error(
    `${open} jobs are open, on ${started} of them machines are at work. With --now their agents are refused from the next call on: ` +
      'what they measure from then on cannot be delivered, the nodes count as lost, the jobs end without them, and a job not yet begun ' +
      'must be created anew. Nothing was changed. To go on all the same: the same command with --yes.',
  );
}
