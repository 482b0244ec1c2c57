import { Command } from 'commander';
import type { Edges } from './edges.ts';
import { openPlatform } from './open-platform.ts';

export const migrateCommand = (edges: Edges): Command =>
  new Command('migrate').description('Brings the database to the schema of this version').action(async () => {
    // Opening a database migrates it.
    const opened = await openPlatform(edges, { applicationName: 'gpumark migrate', max: 1 });
    await opened.close();
    edges.stdout.write('the database has the schema of this version\n');
  });
