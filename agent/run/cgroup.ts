/** The trimmed text of a file, by its path from the root; null if it is missing, unreadable or empty. */
export type ReadText = (path: string) => string | null;

export interface CgroupFolder {
  path: string;
  is_v2: boolean;
}

/**
 * The folders that govern this process for one controller: its cgroup and all ancestors that are mounted here (cgroups(7),
 * proc_pid_mountinfo(5)). Both versions may be mounted at once, with each controller in one of them.
 */
export function cgroupFolders(read: ReadText, controller: string): CgroupFolder[] {
  const groups = (read('/proc/self/cgroup') ?? '').split('\n').flatMap((line) => {
    // `5:cpu,cpuacct:/docker/1234`; of version 2 `0::/user.slice`. The path may contain colons.
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    return controllers === undefined || path === undefined ? [] : [{ controllers, path }];
  });
  return mounts(read).flatMap(({ is_v2, controllers, root, point }) =>
    groups
      .filter((group) =>
        is_v2
          ? group.controllers === ''
          : controllers.split(',').includes(controller) && group.controllers.split(',').includes(controller),
      )
      .flatMap((group) => upwards(root, point, group.path).map((path) => ({ path, is_v2 }))),
  );
}

/** The least amount of memory that a cgroup of this process may use, in bytes; null without a limit. */
export function cgroupMemory(read: ReadText): number | null {
  return least(
    cgroupFolders(read, 'memory').map(({ path, is_v2 }) =>
      numberIn(read, `${path}/${is_v2 ? 'memory.max' : 'memory.limit_in_bytes'}`),
    ),
  );
}

/** What is left of it: cached file pages count as free, since the kernel drops them before it ends a process. */
export function cgroupMemoryLeft(read: ReadText): number | null {
  return least(
    cgroupFolders(read, 'memory').map(({ path, is_v2 }) => {
      const limit = numberIn(read, `${path}/${is_v2 ? 'memory.max' : 'memory.limit_in_bytes'}`);
      if (limit === null) return null;
      const held = numberIn(read, `${path}/${is_v2 ? 'memory.current' : 'memory.usage_in_bytes'}`) ?? 0;
      const cached = new RegExp(`^${is_v2 ? '' : 'total_'}inactive_file (\\d+)$`, 'm').exec(
        read(`${path}/memory.stat`) ?? '',
      );
      return Math.max(0, limit - Math.max(0, held - Number(cached?.[1] ?? 0)));
    }),
  );
}

/** The least number of processes and threads that a cgroup of this process may hold; null without a limit. */
export function cgroupTasks(read: ReadText): number | null {
  return least(cgroupFolders(read, 'pids').map(({ path }) => numberIn(read, `${path}/pids.max`)));
}

/** The least number of cores' time that a cgroup of this process may use; null without a limit. */
export function cgroupCpu(read: ReadText): number | null {
  return least(
    cgroupFolders(read, 'cpu').map(({ path, is_v2 }) => {
      // `400000 100000`, or `max 100000`: microseconds of each period.
      const [quota, period] = is_v2
        ? (read(`${path}/cpu.max`) ?? '').split(' ')
        : [read(`${path}/cpu.cfs_quota_us`), read(`${path}/cpu.cfs_period_us`)];
      const cores = Number(quota ?? Number.NaN) / Number(period ?? Number.NaN);
      return Number.isFinite(cores) && cores > 0 ? cores : null;
    }),
  );
}

interface Mount {
  is_v2: boolean;
  /** Of a mount of version 1, among its other options. */
  controllers: string;
  /** The group that is mounted, and where. */
  root: string;
  point: string;
}

function mounts(read: ReadText): Mount[] {
  return (read('/proc/self/mountinfo') ?? '').split('\n').flatMap((line) => {
    // The number of fields before the dash varies.
    const [head = '', tail = ''] = line.split(' - ');
    const [, , , root = '', point = ''] = head.split(' ');
    const [type = '', , controllers = ''] = tail.split(' ');
    return /^cgroup2?$/.test(type) ? [{ is_v2: type === 'cgroup2', controllers, root, point }] : [];
  });
}

/**
 * In a container the mount often begins at the container's group while the path counts from the host's root. For a group
 * outside the mount, the mount's own folder is the nearest that can be seen.
 */
function upwards(root: string, point: string, path: string): string[] {
  const base = root === '/' ? '' : root;
  const isBelow = `${path}/`.startsWith(`${base}/`) && !path.includes('/..');
  const steps = isBelow ? path.slice(base.length).split('/').filter(Boolean) : [];
  return Array.from({ length: steps.length + 1 }, (_, up) => [point, ...steps.slice(0, steps.length - up)].join('/'));
}

/** Null for `max`, `-1` and a missing file. */
function numberIn(read: ReadText, path: string): number | null {
  const text = read(path);
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

function least(limits: (number | null)[]): number | null {
  const known = limits.filter((limit) => limit !== null);
  return known.length === 0 ? null : Math.min(...known);
}
