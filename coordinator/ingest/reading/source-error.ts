const MOST = 600;

/** Text from a file made safe to print on one line: no line ends, no terminal control codes, limited length. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/\p{Cc}+/gu, ' ');
  return line.length > MOST ? `${line.slice(0, MOST)}…` : line;
}

/** The source cannot be read: no such file, no connection, an invalid answer. A sentence for the operator. */
export class SourceError extends Error {
  constructor(name: string, message: string, cause?: unknown) {
    super(`${withoutSecrets(name)}: ${message}`, { cause });
    this.name = 'SourceError';
  }
}

/** URLs may carry a password or a key; neither belongs in a log. */
export function withoutSecrets(name: string): string {
  if (!URL.canParse(name)) return name;
  const url = new URL(name);
  return url.host === '' ? name : `${url.protocol}//${url.host}${url.pathname}`;
}

/** The system's message. If connections to several addresses failed, that of the first error. */
export function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
