import type { Product } from '../../contract/terms.ts';
import type { Role } from '../../contract/user.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';

/** The person behind the cookie. */
export interface Member {
  userId: string;
  email: string;
  name: string;
  company: string;
  role: Role;
  /** goes into every form of this session */
  csrf: string;
  /** of the session of the API that the cookie hangs on */
  loginSessionId: string;
  /** SHA-256 of the cookie, by which its row is found */
  tokenHash: Buffer;
  passwordAt: Date;
}

/** A stranger's link to one page; see ../sharing. */
export interface SharedPage {
  id: string;
  /** the path that the link opens, beneath which parts of the page are as well */
  path: string;
  /** the query that it opens the page with, and no other; empty: any, which only chooses which part of the page is seen */
  query: string;
  customerId: string;
  /** of whose machines the pages open as well; null: the link shows no job */
  jobId: string | null;
  expiresAt: Date;
}

/** One request of a page. */
export interface Visit {
  context: Context;
  /** null: nobody is signed in */
  member: Member | null;
  /** null: by its own address */
  shared: SharedPage | null;
  /** goes before every path of a link on the page: empty, or `/s/TOKEN` */
  base: string;
  /** without `base` */
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  /** the fields of a form that was posted; empty for GET */
  form: URLSearchParams;
  /** the raw `Cookie` header, for the verbs that know a device by it */
  cookie: string | undefined;
  /** lines of `Set-Cookie` that go out with whatever the answer is, a failure too */
  setCookies: string[];
  header: (name: string) => string | undefined;
  /** ends when the browser goes away */
  signal: AbortSignal;
}

/** Who may open a page. */
export type Who =
  /** everybody */
  | 'public'
  /** who is signed in */
  | 'member'
  /** customer_admin and staff */
  | 'admin';

export interface Access {
  who: Who;
  /** the tier's product without which the page says what it holds and who has it */
  product?: Product;
  /** an active subscription of any tier, as the API asks for it; else the page says how to come by one */
  subscription?: boolean;
  /** The page shows a secret, so a password given more than ten minutes ago is asked for before it. */
  showsSecret?: boolean;
  /** Also by a link that somebody shared; its handler then has to hide what `README.md` lists. */
  shareable?: boolean;
}

/** Where this portal stands: PUBLIC_URL, without one as the browser asked for it. */
export const addressHere = ({ context, header }: Pick<Visit, 'context' | 'header'>): string =>
  context.config.publicUrl ?? `http://${header('host') ?? ''}`;

/** Ids are 64-bit integers; whatever else stands in a path is no job. */
export function idOf(text: string | undefined): string {
  if (text === undefined || !/^\d{1,18}$|^[1-8]\d{18}$/.test(text)) throw new DomainError('not_found', 'The page');
  return text;
}
