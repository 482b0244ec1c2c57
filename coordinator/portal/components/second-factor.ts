import { html, type Content, type Html } from '../frame/html.ts';
import { command, secret } from './copyable.ts';
import { field } from './field.ts';

/** The field for an authenticator code or, unless it is the first one, a recovery code. */
export const codeField = (error: string | undefined, isFirst = false): Html =>
  field({
    name: 'code',
    label: isFirst ? 'Six digits that the app shows' : 'Code',
    hint: isFirst ? null : 'The six digits that your authenticator app shows, or a recovery code.',
    autocomplete: 'one-time-code',
    required: true,
    maxlength: 64,
    error,
  });

/** The key for the authenticator app, to type in or as a URI. */
export const appKey = ({ secret: key, uri }: { secret: string; uri: string }): Html =>
  html`<p>
      In an authenticator app on your phone or in your password manager add an account for gpumark, with this key (by
      time, six digits):
    </p>
    ${command(key.replaceAll(/(.{4})(?=.)/g, '$1 '), 'Key of the second factor')}
    <p>Apps that take an address instead:</p>
    ${command(uri, 'Address of the second factor')}
    <p>Nothing changes until you have entered a code from it.</p>`;

/** Shown only in the response to the form that created them. */
export const recoveryCodes = (codes: readonly string[], rest: Content): Html =>
  secret(
    'Recovery codes',
    codes.join('\n'),
    html`Each signs in once in place of a code of the app, should it be lost. ${rest}`,
  );
