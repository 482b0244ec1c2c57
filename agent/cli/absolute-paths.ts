import { resolve } from 'node:path';
import { ExitError } from '../run/exit-error.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Variables of one path each. Not XDG_STATE_HOME and XDG_CACHE_HOME: the XDG Base Directory Specification says that a
 * relative one is ignored.
 */
const PATHS = [
  'GPUMARK_STATE_DIR',
  'GPUMARK_CA',
  'TMPDIR',
  'HOME',
  // Of the children: GPU drivers and libraries, and where the runner searches for them.
  'CUDA_CACHE_PATH',
  'CUDA_HOME',
  'CUDA_PATH',
  'ROCM_PATH',
  'HIP_PATH',
  'CONDA_PREFIX',
  'VIRTUAL_ENV',
  'NCCL_CONF_FILE',
  'NCCL_TOPO_FILE',
  'NCCL_TOPO_DUMP_FILE',
  'NCCL_GRAPH_FILE',
  'NCCL_DEBUG_FILE',
  // Of Node: read at the first connection.
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
] as const;

/** Variables of several paths with colons between. An empty one among them stays: for children it means `/`. */
const LISTS = [
  'PATH',
  'LD_LIBRARY_PATH',
  'GPUMARK_BLAS_PATH',
  'GPUMARK_NCCL_PATH',
  'GPUMARK_RCCL_PATH',
  'SSL_CERT_DIR',
];

/**
 * The variables that name a path relative to the current directory, with their absolute paths. Children start in `/`,
 * where the same words would name other files.
 * @param currentDirectory asked only if there is a relative path
 * @throws ExitError usage if there is one and the current directory no longer exists
 */
export function absolutePaths(variables: Variables, currentDirectory: () => string): Record<string, string> {
  const absolute = (name: string, path: string): string =>
    path === '' || path.startsWith('/') ? path : resolve(directoryFor(name, path, currentDirectory), path);
  const all = [
    ...PATHS.map((name) => [name, absolute(name, variables[name] ?? '')] as const),
    ...LISTS.map((name) => {
      const paths = (variables[name] ?? '').split(':');
      return [name, paths.map((path) => absolute(name, path)).join(':')] as const;
    }),
  ];
  return Object.fromEntries(all.filter(([name, value]) => value !== (variables[name] ?? '')));
}

function directoryFor(name: string, path: string, currentDirectory: () => string): string {
  try {
    return currentDirectory();
  } catch (cause) {
    throw new ExitError(
      'usage',
      `${name} is '${path}', relative to the current directory, which no longer exists`,
      'Give it as an absolute path, or change to another directory.',
      cause,
    );
  }
}
