/** The cookie by which a device is known at the next sign-in, for the path where the portal's sign-in stands. */
export const deviceCookieHere = (setCookie: string): string => setCookie.replace(/; Path=[^;]+/, '; Path=/sign-in');
