import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';

type Fields = OutgoingHttpHeaders | OutgoingHttpHeader[];

interface Common {
  name: string;
  /** The name in small letters. */
  lower: string;
  value: string;
}

/**
 * Node's response with the headers that every answer has. They are kept in a list and written with the answer's own, which takes a
 * fraction of what `setHeader` does: that one keeps a table by small letters, from which node writes them in a second pass.
 */
export class AnswerResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #common: Common[] = [];

  /** In place of an earlier one of that name. What the answer itself writes under the name goes before it. */
  setCommon(name: string, value: string): void {
    const lower = name.toLowerCase();
    const known = this.#common.find((header) => header.lower === lower);
    if (known) known.value = value;
    else this.#common.push({ name, lower, value });
  }

  override writeHead(status: number, fields?: Fields): this;
  override writeHead(status: number, reason?: string, fields?: Fields): this;
  override writeHead(status: number, reason?: string | Fields, fields?: Fields): this {
    const own = typeof reason === 'object' ? reason : fields;
    const message = typeof reason === 'string' ? reason : undefined;
    const all = this.#common.length === 0 ? own : withCommon(this.#common, own);
    this.#common = [];
    return message === undefined ? super.writeHead(status, all) : super.writeHead(status, message, all);
  }
}

/** As pairs, in which node looks nothing up. */
function withCommon(common: readonly Common[], fields: Fields = {}): OutgoingHttpHeader[] {
  const own: OutgoingHttpHeader[] = [];
  const names: string[] = [];
  const add = (name: string, value: OutgoingHttpHeader | undefined): void => {
    if (value === undefined) return;
    own.push(name, value);
    names.push(name.toLowerCase());
  };
  if (Array.isArray(fields)) for (let n = 0; n < fields.length; n += 2) add(String(fields[n]), fields[n + 1]);
  else for (const name in fields) add(name, fields[name]);
  const all: OutgoingHttpHeader[] = [];
  for (const { name, lower, value } of common) if (!names.includes(lower)) all.push(name, value);
  all.push(...own);
  return all;
}
