import { keepSerialised } from './http/serialised.ts';

/** At 20 kB an answer: 20 MB of answers and as much of their JSON. */
const MOST = 1000;

export type HotAnswers = <T extends object>(
  operation: string,
  request: object,
  answer: () => T | Promise<T>,
) => Promise<T>;

/**
 * Answers of one version of an area's data by what was asked, those that were asked for last, `most` of them: people and
 * dashboards ask the same things. The same object each time, so that it is turned into JSON once. Failures are not kept.
 */
export function hotAnswers(most = MOST): HotAnswers {
  const answers = new Map<string, Promise<object>>();
  return <T extends object>(operation: string, request: object, answer: () => T | Promise<T>): Promise<T> => {
    const key = `${operation} ${JSON.stringify(request)}`;
    const found = answers.get(key);
    const given = found ?? kept(answer());
    // Which was asked for last matters only where one may have to make room; each move costs the table a place.
    if (found === undefined || answers.size > most / 2) {
      answers.delete(key);
      if (answers.size >= most) answers.delete(answers.keys().next().value ?? '');
      answers.set(key, given);
    }
    if (found === undefined) given.catch(() => answers.delete(key));
    // What was kept under this operation and request is what `answer` makes of them.
    return given as Promise<T>;
  };
}

async function kept<T extends object>(answer: T | Promise<T>): Promise<T> {
  const made = await answer;
  keepSerialised(made);
  return made;
}
