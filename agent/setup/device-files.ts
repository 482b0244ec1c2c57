import { isContainer } from './assigned-cards.ts';
import type { Cause, Environment, Situation } from './cause.ts';
import { moduleVersion } from './kernel-driver.ts';

/** Device files in /dev that a process needs. */
const NEEDED: Readonly<
  Record<string, { always: readonly string[]; each: RegExp; folder: string; create: string; assign: string }>
> = {
  nvidia: {
    always: ['nvidiactl', 'nvidia-uvm'],
    each: /^nvidia\d+$/,
    folder: 'dev',
    create: 'nvidia-modprobe -c 0 -u (as root) creates them.',
    assign: 'A container gets them when it is started with --gpus all.',
  },
  amd: {
    always: ['kfd'],
    each: /^renderD\d+$/,
    folder: 'dev/dri',
    create: 'modprobe amdgpu creates them.',
    assign: 'A container gets them with --device /dev/kfd --device /dev/dri.',
  },
};

/** Device files that are missing although the kernel's module is loaded, or that this process may not open. */
export function deviceFiles({ vendor, files, env, cards }: Situation): Cause | null {
  const needed = NEEDED[vendor];
  if (needed === undefined) return null;
  const each = files
    .names(needed.folder)
    .filter((name) => needed.each.test(name))
    .map((name) => `${needed.folder}/${name}`);
  const always = needed.always.map((name) => `dev/${name}`);
  const there = always.filter((path) => files.names('dev').includes(path.slice(4)));
  const refused = [...there, ...each].map((path) => ({ path, code: files.refusal(path) }));
  const blocked = refused.find(({ code }) => code === 'EPERM');
  if (blocked !== undefined)
    return {
      cause: `a device rule (cgroup) keeps this process from /${blocked.path}`,
      remedy:
        'Ask the scheduler for the card (Slurm: --gres=gpu:1), allow it in the service (DeviceAllow=), or start the container with --gpus all or --device.',
    };
  const denied = refused.find(({ code }) => code === 'EACCES');
  if (denied !== undefined)
    return {
      cause: `this user may not open /${denied.path}`,
      remedy:
        vendor === 'amd'
          ? 'Add the user to the groups render and video (usermod -aG render,video USER) and log in again.'
          : 'Run as a user that may (ls -l /dev/nvidia*), or lift the restriction (NVreg_DeviceFileMode=0666).',
    };
  const isLoaded = vendor === 'nvidia' ? moduleVersion(files) !== null : files.names('sys/module').includes('amdgpu');
  const missing = [
    ...always.filter((path) => !there.includes(path)),
    ...(each.length > 0 ? [] : [`${needed.folder}/${vendor === 'nvidia' ? 'nvidia0' : 'renderD128'}`]),
  ];
  if (!isLoaded || cards.length === 0 || missing.length === 0) return null;
  const list = `${missing.map((path) => `/${path}`).join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`;
  if (isContainer(files) && each.length === 0)
    return { cause: `${list}: ${withoutCards(env, vendor)}`, remedy: needed.assign };
  return { cause: `the kernel's module is loaded, but ${list}`, remedy: `${needed.create} ${needed.assign}` };
}

const withoutCards = (env: Environment, vendor: string): string => {
  const value = vendor === 'nvidia' ? env['NVIDIA_VISIBLE_DEVICES'] : undefined;
  return `this container was started without a card${value === undefined ? '' : ` (NVIDIA_VISIBLE_DEVICES is '${value.slice(0, 80)}')`}`;
};
