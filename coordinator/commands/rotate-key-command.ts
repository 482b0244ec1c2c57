import { Argument, Command } from 'commander';
import { rotateSigningKey } from '../accounts/rotate-signing-key.ts';
import { systemContext } from '../platform/context.ts';
import type { Edges } from './edges.ts';
import { openPlatform } from './open-platform.ts';

export const rotateKeyCommand = (edges: Edges): Command =>
  new Command('rotate')
    .description('Begins the next signing key; tokens of the old one stay valid until they expire')
    .addArgument(new Argument('<purpose>', 'which tokens').choices(['login', 'job']))
    .action(async (purpose: 'login' | 'job') => {
      const { platform, close } = await openPlatform(edges, { applicationName: 'gpumark key rotate', max: 2 });
      try {
        const { kid } = await rotateSigningKey(systemContext(platform, 'command'), purpose);
        edges.stdout.write(`${kid} signs ${purpose} tokens from now on\n`);
      } finally {
        await close();
      }
    });
