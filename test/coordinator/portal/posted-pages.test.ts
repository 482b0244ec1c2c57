import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { testApp } from '../../support/app.ts';
import { appCode } from '../../support/authenticator.ts';
import { makeUser } from '../../support/client.ts';
import { mailServer } from '../../support/mail-server.ts';
import { makeEnrolled } from '../accounts/second-factor/enrolled.ts';
import { makeJob } from '../jobs/node.ts';
import { signedIn } from './browser-session.ts';
import { hearErrors, openBrowser, takeCookies, whyNoChromium } from './open-browser.ts';
import { problemsOf, usualSize } from './page-problems.ts';

const PHRASE = 'a second good phrase 8';

describe('pages that only a sent form or a link by mail shows', { skip: whyNoChromium }, async () => {
  const mail = await mailServer({ after });
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'gpumark <noreply@gpumark.test>' };
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z'), environment });
  const { url } = await app.listen();
  const context = openBrowser({ after });
  const { user, it } = await signedIn(app, { role: 'customer_admin', tier: 'enterprise' });

  /** A page that goes through forms and is looked at at each step. */
  const visitor = async (as: { it: typeof it } | null) => {
    const own = await context({ viewport: usualSize, timezoneId: 'UTC', locale: 'en-GB' });
    if (as !== null) await takeCookies(own, as, url);
    const page = await own.newPage();
    const errors = hearErrors(page);
    const press = async (name: string): Promise<void> => {
      await Promise.all([page.waitForEvent('framenavigated'), page.getByRole('button', { name, exact: true }).click()]);
      await page.waitForLoadState('load');
    };
    const looksRight = async (text: string): Promise<void> => {
      await page.getByText(text).first().waitFor();
      assert.deepEqual(await problemsOf(page), [], text);
      await page.setViewportSize(usualSize);
      // The browser itself logs the status of a form with an error.
      assert.deepEqual(
        errors.filter((line) => !line.includes('status of 422')),
        [],
        text,
      );
    };
    return { page, press, looksRight, open: (path: string) => page.goto(`${url}${path}`) };
  };
  const beginSignIn = async ({ page, press, open }: Awaited<ReturnType<typeof visitor>>, who: typeof user) => {
    await open('/sign-in');
    await page.getByLabel('E-mail address').fill(who.email);
    await page.getByLabel('Password').fill(who.password);
    await press('Sign in');
  };
  const codeOn = async (page: Page): Promise<string> => {
    const key = (await page.getByRole('region', { name: 'Key of the second factor' }).textContent()) ?? '';
    return appCode(key.replaceAll(/\s/g, ''), app.clock.now());
  };
  const linkTo = async (email: string, area: string): Promise<string> => {
    const pattern = new RegExp(`http://coordinator\\.test(/${area}/\\S+)`);
    const { text } = await mail.mailTo(email);
    return pattern.exec(text)?.[1] ?? assert.fail(text);
  };

  test('a refused sign-in, its page for a code, and a wrong code', async () => {
    const enrolled = await makeEnrolled(app);
    const at = await visitor(null);
    await beginSignIn(at, { ...enrolled.user, password: 'not the password' });
    await at.looksRight('Nothing was changed.');
    await beginSignIn(at, enrolled.user);
    await at.looksRight('Sign in: your code');
    await at.page.getByLabel('Code').fill('000000');
    await at.press('Sign in');
    await at.looksRight('Nothing was changed.');
  });

  test('the set-up of a second factor that a company requires with the sign-in, and its recovery codes', async () => {
    const member = await makeUser(app, { company: 'Strict Ltd' });
    await app.platform.sql`update customer set requires_second_factor = true where id = ${member.customerId}`;
    const at = await visitor(null);
    await beginSignIn(at, member);
    await at.looksRight('Your company requires a second factor');
    await at.page.getByLabel('Six digits').fill(await codeOn(at.page));
    await at.press('Set it up and sign in');
    await at.looksRight('Recovery codes');
  });

  test('the set-up of a second factor by choice, with a wrong code, and its recovery codes', async () => {
    const at = await visitor(await signedIn(app));
    await at.open('/account/second-factor');
    await at.press('Set up a second factor');
    await at.looksRight('In an authenticator app on your phone');
    await at.page.getByLabel('Six digits').fill('000000');
    await at.press('Set it up');
    await at.looksRight('Nothing was changed.');
    await at.page.getByLabel('Six digits').fill(await codeOn(at.page));
    await at.press('Set it up');
    await at.looksRight('Recovery codes left');
  });

  test('a key, the secret of an application and its token, each shown once', async () => {
    const at = await visitor({ it });
    await at.open('/company/keys');
    await at.page.getByLabel('Name', { exact: true }).fill('ci');
    await at.page.getByLabel('What it is for').fill('nightly runs');
    await at.press('Add the name');
    await at.looksRight('Now make a key under the name.');
    await at.press('Make a key of ci');
    await at.looksRight('Save this now');
    await at.open('/company/applications');
    await at.page.getByLabel('Name', { exact: true }).fill('robot');
    await at.page.getByLabel('What it is for').fill('nightly runs');
    await at.press('Create the application');
    await at.looksRight('Save this now');
    const secret = at.page.locator('.secret');
    const clientSecret = (await secret.locator('output').textContent()) ?? '';
    await at.page.getByLabel('client_id').fill((await secret.locator('p code').textContent()) ?? '');
    await at.page.getByLabel('client_secret').last().fill(clientSecret);
    await at.press('Generate a token');
    await at.looksRight('Application token');
  });

  test('the password asked for once more, a wrong one, and a person added after the right one', async () => {
    const tired = await signedIn(app, { role: 'customer_admin' });
    await app.platform.sql`
      update portal_session set password_at = password_at - interval '11 min' where user_id = ${tired.user.userId}`;
    const at = await visitor(tired);
    const confirm = async (password: string): Promise<void> => {
      await at.page.getByLabel('Your password, once more').fill(password);
      await at.press('Confirm your password');
    };
    await at.open('/company/members');
    await confirm('not the password');
    await at.looksRight('Nothing was changed.');
    await confirm(tired.user.password);
    await at.page.getByLabel('E-mail address').fill('grace@example.com');
    await at.page.getByLabel('First name').fill('Grace');
    await at.page.getByLabel('Last name').fill('Hopper');
    await at.press('Add the person');
    await at.looksRight('Added.');
  });

  test('a form with errors: their list has the focus, and its links lead to the fields', async () => {
    const at = await visitor({ it });
    await at.open('/jobs/new');
    await at.page.getByLabel('Tags').fill(Array.from({ length: 11 }, (_, n) => `tag${n}`).join(', '));
    await at.press('Create the job');
    await at.looksRight('Nothing was changed.');
    assert.equal(await at.page.evaluate('document.activeElement.getAttribute("role")'), 'alert');
    await at.page.getByRole('alert').getByRole('link').first().click();
    assert.equal(await at.page.evaluate('document.activeElement.name'), 'tags');
  });

  test('a link to a job that was just shared, alone and beside an older one', async () => {
    const job = await makeJob(app, user);
    const at = await visitor({ it });
    await at.open(`/jobs/${job.id}/share`);
    await at.press('Make a link');
    await at.looksRight('Anyone with this link can see the page');
    await at.press('Make a link');
    assert.equal(await at.page.getByRole('button', { name: 'Revoke this link' }).count(), 2);
    await at.looksRight('Anyone with this link can see the page');
  });

  test('a sign-up from the form to the account, through a valid link and a password that is too weak', async () => {
    const at = await visitor(null);
    await at.open('/sign-up');
    await at.looksRight('A link goes there');
    await at.page.getByLabel('Company').fill('Example Compute');
    await at.page.getByLabel('First name').fill('Ada');
    await at.page.getByLabel('Last name').fill('Lovelace');
    await at.page.getByLabel('E-mail address').fill('ada@example.com');
    await at.press('Send the link');
    await at.looksRight('Look into your mail.');
    await at.open(await linkTo('ada@example.com', 'sign-up'));
    await at.looksRight('Make your account');
    await at.page.getByLabel('New password').fill('short');
    await at.press('Make the account');
    await at.looksRight('Nothing was changed.');
    await at.page.getByLabel('New password').fill(PHRASE);
    await at.press('Make the account');
    await at.looksRight('Your account is ready');
  });

  test('a new password through a valid link', async () => {
    const forgetful = await makeUser(app);
    const at = await visitor(null);
    await at.open('/reset');
    await at.page.getByLabel('E-mail address').fill(forgetful.email);
    await at.press('Send the link');
    await at.looksRight('Look into your mail.');
    await at.open(await linkTo(forgetful.email, 'reset'));
    await at.looksRight('Choose a new password');
    await at.page.getByLabel('New password').fill(PHRASE);
    await at.press('Set the password');
    await at.looksRight('The password is set');
    await at.open('/reset/unknown');
    await at.page.getByLabel('New password').fill(PHRASE);
    await at.press('Set the password');
    await at.looksRight('Ask for a new link');
  });
});
