import type { Worker } from 'node:worker_threads';

/** A thread that computes nothing is late as well, after this many times its seconds. */
const WALL = 10;

/**
 * Calls `late` once the thread has computed for so many seconds from now on. Those in which it waited for a core do not
 * count, so a busy machine refuses nothing that an idle one takes. Returns what ends the watch.
 */
export function watchThread(worker: Pick<Worker, 'cpuUsage'>, seconds: number, late: () => void): () => void {
  const before = computed(worker);
  let timer = setTimeout(look, seconds * 1000);
  const wall = setTimeout(end, seconds * WALL * 1000);
  let isOver = false;

  function stop(): void {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(wall);
  }
  function end(): void {
    stop();
    late();
  }
  function look(): void {
    void Promise.all([before, computed(worker)]).then(([first, now]) => {
      const left = seconds - (now - first);
      if (isOver) return;
      if (left <= 0) end();
      else timer = setTimeout(look, left * 1000);
    });
  }
  return stop;
}

/** Seconds of a core; 0 of a thread that has not begun or has ended, which its events tell. */
const computed = (worker: Pick<Worker, 'cpuUsage'>): Promise<number> =>
  worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1e6,
    () => 0,
  );
