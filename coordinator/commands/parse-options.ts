import type { z } from 'zod';

/** The options of a command, validated by its schema. Throws one line for each invalid option, named as typed. */
export function parseOptions<T extends z.ZodType>(schema: T, given: unknown): z.output<T> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map((issue) => `--${dashed(issue.path[0])}: ${issue.message}`).join('\n'));
}

const dashed = (field: PropertyKey | undefined): string =>
  String(field).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
