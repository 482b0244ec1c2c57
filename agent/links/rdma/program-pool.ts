import type { ProgramEnd, ProgramRequest, RunningProgram, StartProgram } from './run-program.ts';

/** Everything that a slot has started, so that nothing of it is forgotten. */
export class ProgramPool {
  readonly #start: StartProgram;
  readonly #running = new Set<RunningProgram>();
  #closed = false;

  constructor(start: StartProgram) {
    this.#start = start;
  }

  get is_closed(): boolean {
    return this.#closed;
  }

  /** Null once the pool is closed. */
  start(request: ProgramRequest): RunningProgram | null {
    if (this.#closed) return null;
    const program = this.#start(request);
    this.#running.add(program);
    void program.ended.then(() => this.#running.delete(program));
    return program;
  }

  /** Ends all, and resolves when none is left; afterwards nothing more is started. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#running].map((program): Promise<ProgramEnd> => program.stop()));
  }
}
