import { runPrograms } from '../support/run-programs.ts';

/** `make fuzz [ONLY=name] [SEED=text] [STEPS=n]`: each with hostile calls drawn from a seed. */
const programs = [
  {
    name: 'hostile-requests',
    promise: 'no hostile request is answered with an undocumented 5xx, or late, or costs memory',
  },
  { name: 'lying-node', promise: 'a node that lies in every field of every call changes nothing of honest nodes' },
];
process.exitCode = await runPrograms({ suite: 'fuzz', folder: import.meta.dirname, programs }, process.argv.slice(2));
