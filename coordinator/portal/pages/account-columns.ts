import { status } from '../components/status.ts';
import { time } from '../components/time.ts';
import type { Column } from '../frame/listing.ts';

/** Since when a person has an account, and whether it is open: in the lists of a company and of all companies. */
export const accountColumns: readonly Column<{ created_at: Date; disabled_at: Date | null }>[] = [
  {
    name: 'created_at',
    label: 'Since',
    value: (row) => row.created_at.toISOString(),
    cell: (row) => time(row.created_at),
  },
  {
    name: 'disabled_at',
    label: 'State',
    value: (row) => row.disabled_at?.toISOString() ?? null,
    cell: (row) => (row.disabled_at === null ? status('ok', 'may sign in') : status('none', 'disabled')),
  },
];
