/** What a handler returns when the answer is not a plain 200, or carries headers of its own. */
export class Reply<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Record<string, string>;

  constructor(status: number, body: Body, headers: Record<string, string>) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** `reply(201, job)`; in the envelope dialect the area wraps `body` as it wraps a plain result. */
export const reply = <Body>(status: number, body: Body, headers: Record<string, string> = {}): Reply<Body> =>
  new Reply(status, body, headers);
