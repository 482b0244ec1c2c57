const DAY_MS = 86_400_000;

/** Days that a generated password is valid; within them its owner has to choose another one (ASVS 6.4.1). */
export const GENERATED_PASSWORD_DAYS = 7;

/** 144 bits, 24 characters that paste anywhere. */
export const generatePassword = (randomBytes: (count: number) => Buffer): string =>
  randomBytes(18).toString('base64url');

export const endOfGenerated = (now: Date): Date => new Date(now.getTime() + GENERATED_PASSWORD_DAYS * DAY_MS);
