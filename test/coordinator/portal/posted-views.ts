import assert from 'node:assert/strict';
import { testApp, type TestApp } from '../../support/app.ts';
import { appCode } from '../../support/authenticator.ts';
import { makeUser, type TestUser } from '../../support/client.ts';
import type { Lifetime } from '../../support/lifetime.ts';
import { mailServer } from '../../support/mail-server.ts';
import { makeEnrolled } from '../accounts/second-factor/enrolled.ts';
import { makeJob } from '../jobs/node.ts';
import { limitedApp, limitedUser } from '../platform/limits/limited-app.ts';
import { browser, signedIn } from './browser-session.ts';
import { visitor, type OpenPage, type Visitor } from './visitor.ts';

const PHRASE = 'a second good phrase 8';

/** A way through forms. */
export interface PostedFlow {
  title: string;
  /** Goes it; `sees` is called with each page that is worth a look, under a name, and what it must say. */
  go: (sees: (name: string, by: Visitor, text: string) => void) => Promise<void>;
}

/** A page that only a sent form or a link by mail shows. */
export interface PostedView extends OpenPage {
  name: string;
}

/** All of them, from all ways, in their order. */
export async function postedViews(flows: readonly PostedFlow[]): Promise<PostedView[]> {
  const views: PostedView[] = [];
  for (const { go } of flows) await go((name, by) => void views.push({ name: `posted-${name}`, ...by.page() }));
  return views;
}

/** The ways, and the app whose pages they go through; `requests` is of another app, which limits them. */
export async function postedFlows(lifetime: Lifetime): Promise<{ app: TestApp; flows: PostedFlow[] }> {
  const mail = await mailServer(lifetime);
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'gpumark <noreply@gpumark.test>' };
  const app = await testApp(lifetime, { now: new Date('2026-11-21T12:00:00Z'), environment });
  const { user, it } = await signedIn(app, { role: 'customer_admin', tier: 'enterprise' });

  const beginSignIn = async (by: Visitor, { email, password }: Pick<TestUser, 'email' | 'password'>): Promise<void> => {
    await by.open('/sign-in');
    await by.press('Sign in', { email, password });
  };
  const codeOn = (by: Visitor): string => {
    const key = by.textOf(/aria-label="Key of the second factor"[^>]*>\s*<[^>]*>/);
    return appCode(key.replaceAll(/\s/g, ''), app.clock.now());
  };
  const linkTo = async (email: string, area: string): Promise<string> => {
    const pattern = new RegExp(`http://coordinator\\.test(/${area}/\\S+)`);
    const { text } = await mail.mailTo(email);
    return pattern.exec(text)?.[1] ?? assert.fail(text);
  };

  const flows: PostedFlow[] = [
    {
      title: 'a refused sign-in, its page for a code, and a wrong code',
      go: async (sees) => {
        const enrolled = await makeEnrolled(app);
        const by = visitor(app);
        await beginSignIn(by, { ...enrolled.user, password: 'not the password' });
        sees('sign-in-refused', by, 'Nothing was changed.');
        await beginSignIn(by, enrolled.user);
        sees('sign-in-code', by, 'Sign in: your code');
        await by.press('Sign in', { code: '000000' });
        sees('sign-in-wrong-code', by, 'Nothing was changed.');
      },
    },
    {
      title: 'the set-up of a second factor that a company requires with the sign-in, and its recovery codes',
      go: async (sees) => {
        const member = await makeUser(app, { company: 'Strict Ltd' });
        await app.platform.sql`update customer set requires_second_factor = true where id = ${member.customerId}`;
        const by = visitor(app);
        await beginSignIn(by, member);
        sees('factor-required', by, 'Your company requires a second factor');
        await by.press('Set it up and sign in', { code: codeOn(by) });
        sees('factor-required-codes', by, 'Recovery codes');
      },
    },
    {
      title: 'the set-up of a second factor by choice, with a wrong code, and its recovery codes',
      go: async (sees) => {
        const by = visitor(app, (await signedIn(app)).it);
        await by.open('/account/second-factor');
        await by.press('Set up a second factor');
        sees('factor-begun', by, 'In an authenticator app on your phone');
        await by.press('Set it up', { code: '000000' });
        sees('factor-wrong-code', by, 'Nothing was changed.');
        await by.press('Set it up', { code: codeOn(by) });
        sees('factor-codes', by, 'Recovery codes left');
      },
    },
    {
      title: 'a key, the secret of an application and its token, each shown once',
      go: async (sees) => {
        const by = visitor(app, it);
        await by.open('/company/keys');
        await by.press('Add the name', { name: 'ci', description: 'nightly runs' });
        sees('key-name', by, 'Now make a key under the name.');
        await by.press('Make a key of ci');
        sees('key-made', by, 'Save this now');
        await by.open('/company/applications');
        await by.press('Create the application', { name: 'robot', description: 'nightly runs' });
        sees('application-made', by, 'Save this now');
        const client_secret = by.textOf(/<output[^>]*>/);
        const client_id = /class="secret [^]*?<code>([^<]+)/.exec(by.page().html)?.[1] ?? assert.fail(by.page().html);
        await by.press('Generate a token', { client_id, client_secret });
        sees('application-token', by, 'Application token');
      },
    },
    {
      title: 'the password asked for once more, a wrong one, and a person added after the right one',
      go: async (sees) => {
        const tired = await signedIn(app, { role: 'customer_admin' });
        await app.platform.sql`
          update portal_session set password_at = password_at - interval '11 min' where user_id = ${tired.user.userId}`;
        const by = visitor(app, tired.it);
        await by.open('/company/members');
        await by.press('Confirm your password', { current_password: 'not the password' });
        sees('confirm-refused', by, 'Nothing was changed.');
        await by.press('Confirm your password', { current_password: tired.user.password });
        await by.press('Add the person', { email: 'grace@example.com', first_name: 'Grace', last_name: 'Hopper' });
        sees('person-added', by, 'Added.');
      },
    },
    {
      title: 'a form with errors lists them',
      go: async (sees) => {
        const by = visitor(app, it);
        await by.open('/jobs/new');
        await by.press('Create job', { tags: Array.from({ length: 11 }, (_, n) => `tag${n}`).join(', ') });
        sees('form-with-errors', by, 'Nothing was changed.');
      },
    },
    {
      title: 'a link to a job that was just shared, alone and beside an older one',
      go: async (sees) => {
        const job = await makeJob(app, user, { name: 'shared' });
        const by = visitor(app, it);
        await by.open(`/jobs/${job.id}/share`);
        await by.press('Make a link');
        sees('shared', by, 'Anyone with this link can see the page');
        await by.press('Make a link');
        assert.equal(by.page().html.match(/>\s*Revoke this link\s*</g)?.length, 2);
        sees('shared-twice', by, 'Anyone with this link can see the page');
      },
    },
    {
      title: 'a sign-up from the form to the account, through a valid link and a password that is too weak',
      go: async (sees) => {
        const by = visitor(app);
        await by.open('/sign-up');
        sees('sign-up', by, 'We send the link');
        await by.press('Send the link', {
          company: 'Example Compute',
          first_name: 'Ada',
          last_name: 'Lovelace',
          email: 'ada@example.com',
        });
        sees('sign-up-sent', by, 'Check your mail.');
        await by.open(await linkTo('ada@example.com', 'sign-up'));
        sees('sign-up-link', by, 'Create your account');
        await by.press('Create account', { password: 'short' });
        sees('sign-up-weak', by, 'Nothing was changed.');
        await by.press('Create account', { password: PHRASE });
        sees('sign-up-done', by, 'Your account is ready');
      },
    },
    {
      title: 'a new password through a valid link',
      go: async (sees) => {
        const forgetful = await makeUser(app);
        const by = visitor(app);
        await by.open('/reset');
        await by.press('Send the link', { email: forgetful.email });
        sees('reset-sent', by, 'Check your mail.');
        await by.open(await linkTo(forgetful.email, 'reset'));
        sees('reset-link', by, 'Choose a new password');
        await by.press('Set the password', { password: PHRASE });
        sees('reset-done', by, 'The password is set');
        await by.open('/reset/unknown');
        await by.press('Set the password', { password: PHRASE });
        sees('reset-unknown', by, 'Ask for a new link');
      },
    },
    {
      title: 'where requests are limited, those that each person, key and token has taken',
      go: async (sees) => {
        const limited = await limitedApp(lifetime);
        const admin = await limitedUser(limited, { burst: 40 }, { role: 'customer_admin', tier: 'enterprise' });
        const own = browser(limited);
        assert.equal((await own.signIn(admin.email, admin.password)).status, 303);
        const by = visitor(limited, own);
        for (const path of ['', '/requests']) {
          await by.open(`/company/subscription${path}`);
          sees(`limited-requests${path.replace('/', '-')}`, by, 'Requests now');
        }
      },
    },
  ];
  return { app, flows };
}
