import { ExitError, exitCodes } from './exit-error.ts';
import { stopSignals, type Host, type StopSignal } from './host.ts';
import type { Emit } from './run-event.ts';

/** A request to end the run early, and its origin. Aborting the signal stops the runner and every wait. */
export interface StopRequest {
  signal: AbortSignal;
  by: StopSignal | 'coordinator' | null;
  message: string | null;
  /** The error a stopped run ends with. */
  toError(): ExitError;
  ask(by: StopSignal | 'coordinator', message: string): void;
  /** Processes to kill when a second signal comes. */
  children: Set<number>;
  /** Stops listening for signals. */
  dispose(): void;
}

/**
 * First SIGINT, SIGTERM or SIGHUP: finish the current sample, keep the results, notify the coordinator. Second: kill
 * the runner and exit at once, except for SIGHUP, which both the kernel and the shell send when a terminal is lost.
 */
export function listenForStop(host: Host, emit: Emit, leaveTerminal: () => void): StopRequest {
  const controller = new AbortController();
  const request: StopRequest = {
    signal: controller.signal,
    by: null,
    message: null,
    children: new Set(),
    ask(by, message) {
      if (request.by !== null) return;
      request.by = by;
      request.message = message;
      controller.abort();
    },
    toError: () => stopError(request),
    dispose: () => undefined,
  };
  request.dispose = host.onStopSignal((signal) => {
    if (isStopSignal(request.by)) {
      if (signal === 'SIGHUP') return;
      for (const pid of request.children) killQuietly(pid);
      leaveTerminal();
      host.exitNow(exitCodes[signal]);
      return;
    }
    emit({
      type: 'notice',
      level: 'warning',
      message: `${signal}: finishing the current sample; a second signal exits at once`,
      remedy: null,
    });
    if (request.by === null) request.ask(signal, `stopped by ${signal}`);
    else request.by = signal;
  });
  return request;
}

export const isStopSignal = (by: string | null): by is StopSignal => stopSignals.some((signal) => signal === by);

function stopError(request: StopRequest): ExitError {
  if (isStopSignal(request.by)) return new ExitError(request.by, request.message ?? 'stopped');
  return new ExitError('refused', `the coordinator ended this run: ${request.message ?? 'no reason given'}`);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
