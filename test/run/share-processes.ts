import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../support/source-files.ts';

/** Loading the coordinator costs each process half a second of a core: files of this many share one process. */
const MOST_IN_A_GROUP = 20;

/** What a file says of the process it runs in, or of every test in it, it says of its neighbours too. */
const OF_THE_PROCESS =
  /\bprocess\.(env|on|once|emit|exit|exitCode|chdir|umask|argv|kill)\b|\b(before|beforeEach|afterEach)\(|\bmock\b/;
/** These wait for programs more than they work: the next file of its group would wait with it. */
const WAITS = [
  'test/e2e/',
  'test/native/',
  'test/contributing',
  'test/coordinator/platform/db/embedded/',
  'test/coordinator/portal/journey',
];

export interface SharedProcesses {
  /** what the runner is given: files by themselves, then the groups' modules */
  entries: string[];
  remove: () => void;
}

/**
 * Puts files that need no process of their own together: into a module that loads them one after the other, of which
 * there are at least `atOnce`. A file that changes its process or waits stays alone. Neighbours take
 * equally long more often than not, so they go to different groups. Coverage and failures name the files, as ever.
 */
export function shareProcesses(files: readonly string[], atOnce: number): SharedProcesses {
  const folder = join(root, 'node_modules', '.cache', 'gpumark-test-groups', String(process.pid));
  const together = files.filter(mayShare);
  const count = Math.min(together.length, Math.max(atOnce, Math.ceil(together.length / MOST_IN_A_GROUP)));
  mkdirSync(folder, { recursive: true });
  const groups = Array.from({ length: count }, (_, group) => {
    const module = join(folder, `group-${group + 1}.mjs`);
    const own = together.filter((__, place) => place % count === group);
    writeFileSync(module, HEAD + own.map(loading).join(''));
    return module;
  });
  const shared = new Set(together);
  const alone = files.filter((file) => !shared.has(file)).map((file) => join(root, file));
  return { entries: [...alone, ...groups], remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * A suite of its own for each file, so that what it opens is closed when its own tests are over. They load one after the
 * other: a module that waits for one that another file is loading would go on as a part of that file's suite.
 */
const HEAD = `import { describe } from 'node:test';
let loaded = Promise.resolve();
const load = (file, url) => describe(file, () => (loaded = loaded.catch(() => undefined).then(() => import(url))));
`;

const loading = (file: string): string =>
  `load(${JSON.stringify(file)}, ${JSON.stringify(pathToFileURL(join(root, file)).href)});\n`;

const mayShare = (file: string): boolean =>
  !WAITS.some((folder) => file.startsWith(folder)) && !OF_THE_PROCESS.test(readFileSync(join(root, file), 'utf8'));
