import { filesUnder } from '../../support/source-files.ts';

/**
 * What `make test` leaves out because real time, a daemon of the system, an image build or a browser decides how it ends, or
 * because it takes minutes of the processor. Each group is a run of its own: `make test-heavy [GROUPS="links browser"]`.
 */
export const HEAVY_GROUPS = ['containers', 'browser', 'runs', 'native', 'links', 'attack', 'data'] as const;
export type GroupName = (typeof HEAVY_GROUPS)[number];

/** Test files of a group, and what else than their imports decides how they end. */
export interface Part {
  /** how the paths of the test files begin */
  tests: readonly string[];
  /** Files, and folders (with `/` at the end) with all files in them; what those import counts too. */
  loads?: readonly string[];
  /** Folders that count only as far as `loads` names them: what the tests prove is not there. */
  leavesOut?: readonly string[];
  /** Views of pages, by name: they are loaded as they are written into a browser. */
  pages?: readonly string[];
  /** These walk all pages, of which each has a key of its own instead of the file. */
  walksPages?: true;
}

const COORDINATOR = 'coordinator/';
const SIMULATED_DRIVERS = 'test/support/simulated-driver/';
const IMAGES = ['native/device/', 'native/images/'];
const RUNNER = ['native/src/', 'native/Makefile', 'native/std-headers.mk', ...IMAGES];
/** The part of the runner that measures links. */
const LINK_RUNNER = ['native/src/commands/run-link.cpp', 'native/src/link/'];
/** What makes, carries out and judges the plan for a network. */
const NETWORK = ['coordinator/network/', 'agent/links/', ...LINK_RUNNER];
/** What measures a collective over it, on simulated cards. */
const COLLECTIVE = ['native/src/commands/run-collective.cpp', 'native/src/collective/', SIMULATED_DRIVERS];
const NETWORK_LAB = 'test/support/netns-lab/';

/** What reads published files, and what is made of them. */
const READINGS = ['ingest', 'market', 'catalog', 'tokens', 'figures'].map((area) => `coordinator/${area}/`);

const BROWSER = 'test/coordinator/portal/browser/';
/** The scripts of pages, and the coordinator's side of what they talk to. */
const SCRIPTS = ['coordinator/portal/scripts/', 'coordinator/portal/live/'];
const JOB_PAGES = ['jobs.owner', 'jobs-new.owner', 'jobs-fresh.owner', 'jobs-ID.owner', 'tasks-ID.owner'];

/** Of two parts that name a file the first one counts. */
export const parts: Readonly<Record<GroupName, readonly Part[]>> = {
  containers: [
    // Nodes of the schedulers deliver a run: any agent and any coordinator would do.
    { tests: ['test/containers/slurm'], loads: ['containers/slurm/'], leavesOut: [COORDINATOR] },
    {
      tests: ['test/containers/kubernetes/indexed-job'],
      loads: ['containers/kubernetes/benchmark-job.yaml'],
      leavesOut: [COORDINATOR],
    },
    {
      tests: ['test/containers/images'],
      loads: ['containers/images/', 'containers/release/', 'agent/packaging/', 'package.json', 'package-lock.json'],
      leavesOut: [COORDINATOR],
    },
    {
      tests: ['test/e2e/replicas'],
      loads: ['platform', 'lifecycle', 'agent-protocol', 'network'].map((area) => `coordinator/${area}/`),
      leavesOut: [COORDINATOR],
    },
    {
      tests: [
        'test/coordinator/platform/db/pooler',
        'test/coordinator/platform/db/embedded/damaged-folder',
        'test/coordinator/platform/artifacts/s3-store',
      ],
    },
    {
      tests: [
        'test/e2e/upgrade',
        'test/e2e/backup',
        'test/e2e/coordinator-killed',
        'test/coordinator/platform/limits/three-processes',
      ],
      loads: ['coordinator/main.ts'],
    },
    { tests: ['test/e2e/agent-killed'], loads: ['agent/main.ts'], leavesOut: [COORDINATOR] },
  ],
  browser: [
    { tests: [`${BROWSER}every-page`], walksPages: true },
    { tests: [BROWSER], loads: SCRIPTS, leavesOut: [COORDINATOR], pages: JOB_PAGES },
  ],
  runs: [
    {
      tests: [
        'test/agent/run/one-judgement',
        'test/agent/run/real-models',
        'test/agent/health/becomes-a-finding',
        'test/agent/health/absurd-machine',
        'test/agent/health/nothing-measured',
        'test/agent/benchmarks/soak',
      ],
      loads: ['agent/main.ts'],
    },
    {
      tests: ['test/e2e/first-run', 'test/coordinator/commands/serve-command', 'test/coordinator/portal/journey'],
      loads: [...SCRIPTS, 'agent/main.ts', 'coordinator/main.ts'],
    },
  ],
  native: [
    { tests: ['test/native/sweeps/images-'], loads: IMAGES },
    {
      tests: ['test/e2e/simulated-gpus'],
      loads: [...RUNNER, SIMULATED_DRIVERS, 'agent/main.ts', 'coordinator/reports/'],
      leavesOut: [COORDINATOR],
    },
    { tests: ['test/native/sweeps/', 'test/e2e/kernel-look-ups'], loads: [...RUNNER, SIMULATED_DRIVERS] },
  ],
  links: [
    // How long a device has carried its load before a figure counts is told by the clock.
    { tests: ['test/native/real-time/'], loads: [...RUNNER, SIMULATED_DRIVERS] },
    { tests: ['test/native/links/link-shaped'], loads: [...LINK_RUNNER, NETWORK_LAB] },
    { tests: ['test/native/links/', 'test/agent/links/rdma/through-runner'], loads: LINK_RUNNER },
    // Two ends that keep to the seconds of a slot.
    { tests: ['test/agent/links/rdma/measure-slot', 'test/agent/links/rdma/slot-faults'] },
    { tests: ['test/e2e/network.'], loads: [...NETWORK, ...COLLECTIVE, NETWORK_LAB], leavesOut: [COORDINATOR] },
    { tests: ['test/e2e/crowd/'], loads: NETWORK, leavesOut: [COORDINATOR] },
  ],
  attack: [
    { tests: ['test/coordinator/market/attack'] },
    { tests: ['test/attack/', 'test/fuzz/'], loads: ['coordinator/main.ts'] },
  ],
  data: [
    {
      tests: [
        'test/coordinator/market/every-real-file',
        'test/coordinator/tokens/real-screens',
        'test/coordinator/tokens/loading-order',
        'test/coordinator/tokens/real-index',
        'test/coordinator/tokens/real-pulse',
        'test/coordinator/ingest/tokens/every-real-file',
        'test/coordinator/tokens/identity/display-names',
      ],
      loads: READINGS,
      leavesOut: [COORDINATOR],
    },
    {
      tests: ['test/coordinator/prediction/real-backtest'],
      loads: [...READINGS, 'coordinator/prediction/'],
      leavesOut: [COORDINATOR],
    },
  ],
};

/** The test files of a group, each with its part. */
export function filesOf(group: GroupName): Map<string, Part> {
  const found = new Map<string, Part>();
  for (const file of filesUnder('test', '.test.ts').toSorted()) {
    const part = parts[group].find(({ tests }) => tests.some((start) => file.startsWith(start)));
    if (part !== undefined) found.set(file, part);
  }
  return found;
}

/** The group of a test file, or null: then it runs with `make test`. */
export const groupOf = (file: string): GroupName | null =>
  HEAVY_GROUPS.find((group) => parts[group].some(({ tests }) => tests.some((start) => file.startsWith(start)))) ?? null;
