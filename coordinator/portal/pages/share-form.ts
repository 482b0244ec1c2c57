import { command } from '../components/copyable.ts';
import { field } from '../components/field.ts';
import { note } from '../components/note.ts';
import { time } from '../components/time.ts';
import { addressHere, type Visit } from '../frame/visit.ts';
import type { FormErrors } from '../frame/attempt.ts';
import { html, type Content } from '../frame/html.ts';
import { form } from '../frame/layout.ts';
import type { ShareRow } from '../queries/shares.ts';
import { isFresh, passwordAgain } from '../sessions/confirm-password.ts';
import { linkOf, shareDays } from '../sharing/share-page.ts';

interface Given {
  /** target of the form; `/revoke` below it revokes a link */
  action: string;
  /** further fields of both forms */
  fields?: Content;
  /** what a shared page shows and what it hides, in sentences */
  shown: string;
  live: readonly ShareRow[];
  /** what each link of the list opens, if they differ */
  opens?: (share: ShareRow) => Content;
  /** the link that was just created */
  made: ShareRow | null;
  errors: FormErrors;
}

/** Creates and revokes links to a page for people without an account. */
export function shareForm(visit: Visit, { action, fields, shown, live, opens, made, errors }: Given): Content {
  const address = addressHere(visit);
  return html`${made === null ? null : html`${note('ok', 'Shared.', 'Anyone with this link can see the page, without an account.', 'status')}${command(linkOf(address, made), 'The new link to the shared page')}`}
    <p>${shown}</p>
    ${form(
      visit,
      action,
      html`${fields}${field({ name: 'days', label: 'Days until it ends', type: 'number', min: 1, max: shareDays.most, value: visit.form.get('days') ?? String(shareDays.usual), required: true, error: errors.get('days') })}${passwordAgain(visit, errors.get('current_password'))}
        <p><button class="main">Make a link</button></p>`,
      'stackform',
    )}
    <h2>Links in force</h2>
    ${
      !isFresh(visit)
        ? html`<p class="muted">They are shown once the password is given.</p>`
        : live.length === 0
          ? html`<p class="muted">None.</p>`
          : live.map(
              (one, at) =>
                html`<p>
                    ${opens ? html`${opens(one)}. ` : null}Made ${time(one.created_at)}, ends ${time(one.expires_at)}.
                  </p>
                  ${command(linkOf(address, one), `Link ${at + 1} in force to the shared page`)}${form(
                    visit,
                    `${action}/revoke`,
                    html`${fields}<input type="hidden" name="share" value="${one.id}" />
                      <p><button class="risk">Revoke this link</button></p>`,
                  )}`,
            )
    }`;
}
