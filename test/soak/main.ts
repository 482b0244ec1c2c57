import { beginProof } from '../support/proof.ts';
import { runPrograms } from '../support/run-programs.ts';

/** `make soak [ONLY=name] [FAST=1]`: a night of what takes too long, or needs too idle a machine, for `make test`. */
const programs = [
  {
    name: 'lab-itself',
    promise: 'each fault of the network lab shows itself, and nothing else changes',
    fast: true,
  },
  {
    name: 'network-sound',
    promise: 'on an idle machine every direction of a sound link has its rate, beside strangers too',
    fast: true,
  },
  {
    name: 'leases',
    promise: 'a real coordinator notices a silent node within 50 s, and its late result counts',
    fast: true,
  },
  { name: 'network-faults', promise: 'each fault in clusters of 2 to 8 nodes is named with its rate, nothing else is' },
  {
    name: 'replicas',
    promise: 'three coordinators behind a balancer, killed and upgraded in mid-job: nothing lost, nothing twice',
  },
  { name: 'upgrade', promise: 'the API tests pass on the former release’s data, and its own on the new schema' },
  { name: 'capacity', promise: 'one coordinator answers all beats, jobs and reports; how many a minute' },
  { name: 'simulated-gpus', promise: '1, 2, 4 and 8 simulated cards of both vendors go the whole way to the report' },
  { name: 'images-arm64', promise: 'both images for arm64 are built here, run under an emulator and deliver' },
  { name: 'recipes', promise: 'the four recipes of CONTRIBUTING.md work as written: built, run, types checked' },
  { name: 'images-rebuild', promise: 'all device images built again are the same, byte for byte' },
  {
    name: 'network-256',
    promise: '256 nodes: no report is lost in three kills of the coordinator, plans come in time',
  },
  { name: 'network-64', promise: '64 agents: sound and with all faults at once, exactly these are named' },
] as const;
const argv = process.argv.slice(2);
const links = beginProof('links');
process.exitCode = await runPrograms({ suite: 'soak', folder: import.meta.dirname, programs }, argv);
// With names in it that was a part, which proves nothing as a whole.
if (process.exitCode === 0 && argv.every((word) => word === '--fast')) links.record(new Date());
