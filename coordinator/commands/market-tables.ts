import type { Command } from 'commander';
import { exportCatalogue, importCatalogue } from '../catalog/catalogue-table.ts';
import { exportProviders, importProviders } from '../market/providers-table.ts';
import type { Edges } from './edges.ts';
import { tableCommand } from './table-command.ts';

/** `catalog` and `providers`: what prices are of, and whose. */
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
