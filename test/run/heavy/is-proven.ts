import { HEAVY_GROUPS } from './heavy-groups.ts';
import { keysOf } from './proof-keys.ts';
import { staleOf } from './proven-record.ts';

/** `is-proven.ts native`: exit code 0 if all of a group without pages was green for these bytes, else 1. */
const [name] = process.argv.slice(2);
const group = HEAVY_GROUPS.find((one) => one === name);
if (group === undefined) throw new Error(`"${name}" is not one of ${HEAVY_GROUPS.join(', ')}`);
const keys = await keysOf(group, () => Promise.reject(new Error('pages need a database')));
process.exitCode = staleOf(group, keys).length === 0 ? 0 : 1;
