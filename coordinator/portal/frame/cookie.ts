import type { Config } from '../../platform/config.ts';

/**
 * A cookie for this origin only (`__Host-`: Secure, no Domain, path `/`); over plain http, allowed on loopback only, it
 * has another name.
 */
const SECURE_NAME = '__Host-gpumark';
const PLAIN_NAME = 'gpumark-loopback';

const isTls = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean => publicUrl?.startsWith('https://') === true;

/** Whether signing in is allowed: over TLS, or on the machine itself, where nobody can intercept the traffic. */
export function maySignIn(config: Pick<Config, 'publicUrl'>, address: string | null): boolean {
  if (isTls(config)) return true;
  const host = config.publicUrl === null ? null : new URL(config.publicUrl).hostname;
  if (host !== null) return isLoopback(host);
  return address === null || isLoopback(address);
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?|.+\.(test|localhost))$/.test(host);

const nameOf = (config: Pick<Config, 'publicUrl'>): string => (isTls(config) ? SECURE_NAME : PLAIN_NAME);

/** `Set-Cookie` of a session; null deletes it. */
export function sessionCookie(config: Pick<Config, 'publicUrl'>, token: string | null): string {
  const secure = isTls(config) ? '; Secure' : '';
  const end = token === null ? '; Max-Age=0' : '';
  return `${nameOf(config)}=${token ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure}${end}`;
}

/** The session token in a `Cookie` header; null if it is missing or malformed. */
export function sessionTokenIn(config: Pick<Config, 'publicUrl'>, header: string | undefined): string | null {
  const start = `${nameOf(config)}=`;
  const found = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  const value = found?.slice(start.length) ?? '';
  return /^[\w-]{43}$/.test(value) ? value : null;
}
