/** Whether the text has the form of a job token: three base64url parts, the first a JSON header. */
export function looksLikeToken(text: string): boolean {
  return /^eyJ[\w-]{5,}\.[\w-]{2,}\.[\w-]*$/.test(text);
}

/** Replaces every token, and everything that looks like one. For all text that may be printed. */
export function withoutTokens(text: string, secrets: readonly string[] = []): string {
  const known = secrets.filter((secret) => secret.length >= 8);
  const masked = known.reduce((result, secret) => result.replaceAll(secret, '[token]'), text);
  return masked.replace(/eyJ[\w-]{5,}\.[\w-]{2,}(\.[\w-]*)?/g, '[token]');
}
