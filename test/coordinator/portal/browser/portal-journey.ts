import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { TestApp } from '../../../support/app.ts';
import { makeDataDir, removeDataDir } from '../../../support/data-dir.ts';
import type { Lifetime } from '../../../support/lifetime.ts';
import { mailServer } from '../../../support/mail-server.ts';
import { layReadyCluster } from '../../../support/ready-cluster.ts';
import { root } from '../../../support/source-files.ts';
import { startReplaceable, type ReplaceableCoordinator } from '../../../e2e/replaceable-coordinator.ts';
import { Node } from '../../jobs/node.ts';
import { openBrowser } from './open-browser.ts';

interface Journey {
  /** what the coordinator keeps is below `data` */
  folder: string;
  coordinator: ReplaceableCoordinator;
  context: ReturnType<typeof openBrowser>;
  signUp: (page: Page, email: string, company: string) => Promise<void>;
  signIn: (page: Page, email: string) => Promise<void>;
  newJob: (page: Page) => Promise<MadeOnPage>;
  /** A node whose calls the test makes over HTTP. */
  protocolNode: (made: MadeOnPage) => Node;
}

/** The address of a job's page and the token in its command line. */
interface MadeOnPage {
  address: string;
  token: string;
}

const PASSWORD = 'correct horse battery';

/** A coordinator process that sends mail, a browser, and the steps that people take from page to page. */
export async function openJourney(lifetime: Lifetime): Promise<Journey> {
  const folder = await makeDataDir();
  lifetime.after(() => removeDataDir(folder));
  const dataDir = join(folder, 'data');
  const mail = await mailServer(lifetime);
  await layReadyCluster(dataDir);
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'gpumark <noreply@gpumark.test>' };
  const coordinator = await startReplaceable(lifetime, { root, dataDir, environment });
  const { baseUrl } = coordinator;
  // Closed before the coordinator stops, which would else wait for its live pages.
  const context = openBrowser(lifetime);
  const fillIn = async (page: Page, email: string): Promise<void> => {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
  };
  return {
    folder,
    coordinator,
    context,
    signUp: async (page, email, company) => {
      await page.goto(`${baseUrl}/sign-up`);
      await page.getByLabel('Company').fill(company);
      await page.getByLabel('First name').fill('Ada');
      await page.getByLabel('Last name').fill('Lovelace');
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: 'Send the link' }).click();
      await page.getByText('Check your mail.').waitFor();
      const sent = await mail.mailTo(email);
      await page.goto(/http:\S+\/sign-up\/\S+/.exec(sent.text)?.[0] ?? assert.fail(sent.text));
      await page.getByLabel('New password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('link', { name: 'Sign in' }).last().click();
      await fillIn(page, email);
    },
    signIn: async (page, email) => {
      await page.goto(`${baseUrl}/sign-in?next=/jobs`);
      await fillIn(page, email);
    },
    newJob: async (page) => {
      await page.getByRole('link', { name: 'New job' }).click();
      await page.getByRole('button', { name: 'Create job' }).click();
      const line = (await page.locator('.cmd code').textContent()) ?? '';
      const token = /GPUMARK_API_KEY=(\S+) (?:\.\/)?gpumark-agent/.exec(line)?.[1] ?? assert.fail(line);
      await page.getByRole('link', { name: 'Open the job' }).click();
      await page.getByText('Waiting for node 1 of 1', { exact: true }).waitFor();
      return { address: page.url(), token };
    },
    protocolNode: ({ address, token }) => {
      const remote = {
        app: { request: (path: string, init: RequestInit) => fetch(`${baseUrl}${path}`, init) },
        clock: { now: () => new Date() },
      };
      const id = address.split('/').at(-1) ?? '';
      return new Node(remote as unknown as TestApp, { id, token, name: '', created_at: '', expires_at: '' });
    },
  };
}
