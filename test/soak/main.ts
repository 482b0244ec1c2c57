import { runPrograms } from '../support/run-programs.ts';

/** `make soak [ONLY=name] [FAST=1]`: a nightly run of what takes too long for `make test` or needs an idle machine. */
const programs = [
  {
    name: 'lab-itself',
    promise: 'each fault of the network lab has its effect, and nothing else changes',
    fast: true,
  },
  {
    name: 'network-sound',
    promise: 'on an idle machine every direction of a healthy link has its rate, even with strangers connecting',
    fast: true,
  },
  {
    name: 'leases',
    promise: 'a real coordinator notices a silent node within 50 s, and its late result counts',
    fast: true,
  },
  {
    name: 'network-faults',
    promise: 'each fault in clusters of 2 to 8 nodes is named with its rate, and nothing else',
  },
  {
    name: 'replicas',
    promise: 'three coordinators behind a load balancer, killed and upgraded in mid-job: nothing lost or duplicated',
  },
  {
    name: 'upgrade',
    promise: 'the API tests pass on the previous release’s data, and its own tests on the new schema',
  },
  { name: 'capacity', promise: 'one coordinator answers all heartbeats, jobs and reports; how many per minute' },
  {
    name: 'driver-faults',
    promise: 'a simulated driver that fails at any call or launch of a run costs figures, never the run',
  },
  { name: 'simulated-gpus', promise: '1, 2, 4 and 8 simulated cards of both vendors are measured and reported' },
  { name: 'images-arm64', promise: 'both images for arm64 are built here, run under an emulator and deliver' },
  {
    name: 'healthy-nodes',
    promise: '10,000 healthy nodes, drawn from the spreads of real cards, are accused of nothing',
    fast: true,
  },
  { name: 'recipes', promise: 'the four recipes of CONTRIBUTING.md work as written: built, run, types checked' },
  { name: 'images-rebuild', promise: 'all device images are the same when rebuilt, byte for byte' },
  {
    name: 'network-256',
    promise: '256 nodes: no report is lost although the coordinator is killed three times, plans arrive in time',
  },
  { name: 'network-64', promise: '64 agents, healthy and with all faults together: exactly the faults are named' },
] as const;
process.exitCode = await runPrograms({ suite: 'soak', folder: import.meta.dirname, programs }, process.argv.slice(2));
