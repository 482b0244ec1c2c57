import { z } from 'zod';
import { RunnerError } from './runner-error.ts';
import { type RunnerEvent, runnerEvent, runnerSchema } from './runner-events.ts';

const knownEvents: ReadonlySet<string> = new Set(runnerEvent.options.map((option) => option.shape.event.value));
const header = z.looseObject({ schema: z.string(), event: z.string() });

/**
 * Parses one line of the runner's stdout. Null for an unknown kind of event: a newer runner may have more.
 * @throws RunnerError wrong-schema, malformed-line
 */
export function parseLine(line: string): RunnerEvent | null {
  const head = header.safeParse(parseJson(line));
  if (!head.success) throw malformedLine(line, head.error);
  if (head.data.schema !== runnerSchema) {
    throw new RunnerError(
      'wrong-schema',
      `the runner speaks ${shorten(head.data.schema)}, this agent speaks ${runnerSchema}`,
      'Use the runner that was built together with this agent: make native, or reinstall the agent.',
    );
  }
  if (!knownEvents.has(head.data.event)) return null;
  const event = runnerEvent.safeParse(head.data);
  if (!event.success) throw malformedLine(line, event.error);
  return event.data;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw malformedLine(line, cause);
  }
}

/** The error for a line that violates the protocol; quotes its beginning. */
export function malformedLine(line: string, cause: unknown): RunnerError {
  return new RunnerError(
    'malformed-line',
    `the runner wrote a line that is not an event: ${shorten(line)}`,
    'Something else may write to its stdout, or agent and runner differ in version; reinstall the agent.',
    cause,
  );
}

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}...` : text);
