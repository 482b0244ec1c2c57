import { describeTarget } from './database-url.ts';

type Target = { host: string; port: number; database: string; user: string };

/** Cause of the failure by error code: system errors, the driver's own codes, SQLSTATEs at log-in. */
const CAUSES: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there; is the server running?',
  ENOENT: 'there is no such socket; is the server running?',
  EACCES: 'this user may not open the socket',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up just now',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'it did not answer in time',
  CONNECT_TIMEOUT: 'it did not answer in time',
  ECONNRESET: 'it closed the connection',
  CONNECTION_CLOSED: 'it closed the connection',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate names another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  '28P01': 'it refuses the password',
  '28000': 'it refuses this user',
  '3D000': 'it has no such database',
  '42501': 'the user lacks a privilege',
  '53300': 'it has no connection left',
  '57P03': 'it is starting up or shutting down',
};

/**
 * One sentence that says which database cannot be used, and why. Built only from the error's code:
 * messages and stacks of drivers may repeat the URL, and with it the password.
 */
export function connectionErrorSentence(error: unknown, target: Target): string {
  const code = codeOf(error);
  const cause = (code && CAUSES[code]) ?? (code ? `the error is ${code}` : 'the cause is unknown');
  return `The ${describeTarget(target)} cannot be used: ${cause}.`;
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const code = String(error.code);
  return /^\w{3,60}$/.test(code) ? code : null;
}
