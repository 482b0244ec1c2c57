import type { Product } from '../../contract/terms.ts';
import type { Role } from '../../contract/user.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';

/** The person identified by the cookie. */
export interface Member {
  userId: string;
  email: string;
  name: string;
  company: string;
  role: Role;
  /** included in every form of this session */
  csrf: string;
  /** id of the API session to which the cookie belongs */
  loginSessionId: string;
  /** SHA-256 of the cookie, the key of its row */
  tokenHash: Buffer;
  passwordAt: Date;
}

/** A link to one page for people without an account; see ../sharing. */
export interface SharedPage {
  id: string;
  /** the path that the link opens; parts of the page below it open as well */
  path: string;
  /** the only query with which the page opens; empty: any, because it only selects the visible part of the page */
  query: string;
  customerId: string;
  /** pages of this job's machines open as well; null: the link does not show a job */
  jobId: string | null;
  expiresAt: Date;
}

/** One request for a page. */
export interface Visit {
  context: Context;
  /** null: nobody is signed in */
  member: Member | null;
  /** null unless opened through a shared link */
  shared: SharedPage | null;
  /** prefix of every path in a link on the page: empty, or `/s/TOKEN` */
  base: string;
  /** without `base` */
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  /** the fields of a posted form; empty for GET */
  form: URLSearchParams;
  /** the raw `Cookie` header, for verbs that recognise a device by it */
  cookie: string | undefined;
  /** `Set-Cookie` lines sent with whatever response follows, including an error page */
  setCookies: string[];
  header: (name: string) => string | undefined;
  /** aborted when the browser disconnects */
  signal: AbortSignal;
}

/** Who may open a page. */
export type Who =
  | 'public'
  /** signed in */
  | 'member'
  /** customer_admin and staff */
  | 'admin'
  /** those who run the service: staff and root_admin */
  | 'staff';

export interface Access {
  who: Who;
  /** required product; without it the page only says what it contains and which tiers include the product */
  product?: Product;
  /** requires an active subscription of any tier, as the API does; without one the page says how to get it */
  subscription?: boolean;
  /** The page shows a secret, so it asks for the password first if that was given more than ten minutes ago. */
  showsSecret?: boolean;
  /** Also opens through a shared link; its handler then has to hide what `README.md` lists. */
  shareable?: boolean;
}

/** The portal's address: PUBLIC_URL, or else the address the browser requested. */
export const addressHere = ({ context, header }: Pick<Visit, 'context' | 'header'>): string =>
  context.config.publicUrl ?? `http://${header('host') ?? ''}`;

/** Ids are 64-bit integers; anything else in a path matches no job. */
export function idOf(text: string | undefined): string {
  if (text === undefined || !/^\d{1,18}$|^[1-8]\d{18}$/.test(text)) throw new DomainError('not_found', 'The page');
  return text;
}
