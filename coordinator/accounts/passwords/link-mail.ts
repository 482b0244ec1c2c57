import type { Mail } from '../../platform/mail/create-mailer.ts';

const reasons = {
  forgotten: 'Somebody, probably you, asked for a new password of your account.',
  invited: 'An account was made for you.',
} as const;

export function linkMail(
  to: string,
  { link, hours, reason }: { link: string; hours: number; reason: keyof typeof reasons },
): Mail {
  const span = hours === 1 ? 'one hour' : `${hours / 24} days`;
  const text = [
    reasons[reason],
    `This link sets its password. It works once, within ${span}:`,
    link,
    'If you did not expect this mail, ignore it: nothing changes until the link is used.',
  ].join('\n\n');
  return { to, subject: 'Set your gpumark password', text: `${text}\n` };
}
