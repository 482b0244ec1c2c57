import { GENERATED_PASSWORD_DAYS } from '../accounts/generated-password.ts';

interface Ready {
  /** what people and agents are told */
  url: string;
  /** what this process has bound */
  listening: string;
  admin: {
    /** null: nobody administers the service any more */
    email: string | null;
    password: { once: string } | 'given' | 'set before';
  };
  /** null: JSON lines go to stderr */
  logFile: string | null;
}

/** What a start ends with on stdout: where the pages are, how to sign in, what to do next. */
export function readyBlock({ url, listening, admin, logFile }: Ready): string {
  const lines: [name: string, words: string][] = [
    ['page', url === listening ? url : `${url}   (listening on ${listening})`],
    ['sign in', signIn(admin)],
    ['next', 'open the page, New job, paste its line on a machine'],
  ];
  if (logFile !== null) lines.push(['log', logFile]);
  return ['gpumark is ready', ...lines.map(([name, words]) => `  ${name.padEnd(9)} ${words}`), ''].join('\n');
}

function signIn({ email, password }: Ready['admin']): string {
  if (email === null) return 'nobody can administer: user create --role root_admin adds somebody';
  if (password === 'set before')
    return `${email}   (password lost: coordinator/main.ts user password --email ${email})`;
  if (password === 'given') return `${email}   with the password of ADMIN_PASSWORD`;
  return `${email}   one-time password  ${password.once}   (shown once, good for ${GENERATED_PASSWORD_DAYS} days)`;
}
