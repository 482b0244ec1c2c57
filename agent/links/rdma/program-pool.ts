import type { ProgramEnd, ProgramRequest, RunningProgram, StartProgram } from './run-program.ts';

/** All programs started by a slot, so that all of them are ended. */
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

  /** Ends all programs and resolves when none is left; afterwards none can be started. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#running].map((program): Promise<ProgramEnd> => program.stop()));
  }
}
