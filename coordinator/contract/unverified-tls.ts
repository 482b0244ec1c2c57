/**
 * Why a program must not start in this environment: Node would silently accept any certificate for any host on every TLS
 * connection. Null if it may start.
 */
export function unverifiedTls(environment: Readonly<Record<string, string | undefined>>): string | null {
  return environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
    ? 'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification: anyone on the network path could read and change what is sent'
    : null;
}
