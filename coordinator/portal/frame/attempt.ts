import { DomainError } from '../../platform/errors.ts';

/** Errors of a form by field name; '' for the form as a whole. */
export type FormErrors = ReadonlyMap<string, string>;
export const noErrors: FormErrors = new Map();

/** Errors that the sender of a form can correct, by field; anything else is rethrown. */
export async function attempt<T>(work: () => Promise<T>): Promise<{ done: T } | { errors: FormErrors }> {
  try {
    return { done: await work() };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
    const named = error.fields.map(({ path, message }): [string, string] => {
      const name = String(path.at(1) ?? '');
      return [name, `${name.replaceAll('_', ' ')} ${message}`.trim()];
    });
    return { errors: new Map(named.length > 0 ? named : [['', error.message]]) };
  }
}

/** The same for a schema validation error. */
export const issuesOf = (error: { issues: readonly { path: PropertyKey[]; message: string }[] }): FormErrors =>
  new Map(
    error.issues.map(({ path, message }) => [
      String(path[0] ?? ''),
      `${String(path[0] ?? '').replaceAll('_', ' ')}: ${message}`,
    ]),
  );
