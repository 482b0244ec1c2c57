import assert from 'node:assert/strict';
import type { TestApp } from '../../support/app.ts';
import { browser, type Browser } from './browser-session.ts';

export interface OpenPage {
  path: string;
  status: number;
  headers: Headers;
  html: string;
}

export interface Visitor {
  /** what is open now */
  page: () => OpenPage;
  open: (path: string) => Promise<void>;
  /** Sends the form that has the button, its fields as they stand but for those given by name. */
  press: (button: string, fields?: Readonly<Record<string, string>>) => Promise<void>;
  /** The text of the first element that the pattern finds the start tag of, without markup. */
  textOf: (startTag: RegExp) => string;
}

/** A person who goes through the forms of pages as a browser without scripts would: with their own fields, paths and redirects. */
export function visitor(app: TestApp, it: Browser = browser(app)): Visitor {
  let open: OpenPage = { path: '', status: 0, headers: new Headers(), html: '' };
  const follow = async (path: string, answer: Response): Promise<void> => {
    const to = answer.headers.get('location');
    if (answer.status === 303 && to !== null) return follow(to, await it.get(to));
    open = { path, status: answer.status, headers: answer.headers, html: await answer.text() };
  };
  return {
    page: () => open,
    open: async (path) => follow(path, await it.get(path)),
    press: async (button, fields = {}) => {
      const form = formWith(open.html, button);
      const path = form.action ?? open.path;
      const answer = await app.app.request(path, {
        method: 'POST',
        headers: {
          cookie: [...it.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        },
        body: new URLSearchParams(filled(form, fields)).toString(),
      });
      it.keep(answer);
      await follow(path, answer);
    },
    textOf: (startTag) => {
      const at = startTag.exec(open.html) ?? assert.fail(`no ${startTag} in ${open.html}`);
      return plain(open.html.slice(at.index + at[0].length).split('</')[0] ?? '');
    },
  };
}

interface Form {
  action: string | null;
  fields: [name: string, value: string][];
  names: Set<string>;
}

function formWith(html: string, button: string): Form {
  for (const [whole = '', start = '', content = ''] of html.matchAll(/(<form[^>]*>)([^]*?)<\/form>/g)) {
    const pressed = [...content.matchAll(/<button[^>]*>([^]*?)<\/button>/g)].find(
      ([, text = '']) => plain(text.replaceAll(/<[^>]+>/g, '')) === button,
    );
    if (pressed === undefined) continue;
    const controls = [...content.matchAll(/<(?:input|textarea|select)[^>]*>/g)].map(([tag]) => tag);
    const names = new Set(controls.map((tag) => attribute(tag, 'name') ?? ''));
    const fields = controls.flatMap((tag): Form['fields'] => {
      const isOff = /type="(?:checkbox|radio)"/.test(tag) && !/\schecked/.test(tag);
      return isOff || !tag.startsWith('<input') ? [] : [[attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? '']];
    });
    for (const [, tag = '', options = ''] of content.matchAll(/(<select[^>]*>)([^]*?)<\/select>/g)) {
      const chosen = /<option[^>]*\sselected[^>]*>/.exec(options)?.[0] ?? /<option[^>]*>/.exec(options)?.[0] ?? '';
      fields.push([attribute(tag, 'name') ?? '', attribute(chosen, 'value') ?? '']);
    }
    const own = attribute(pressed[0].slice(0, pressed[0].indexOf('>') + 1), 'name');
    if (own !== null) fields.push([own, attribute(pressed[0], 'value') ?? '']);
    assert.match(start, /method="post"/, whole);
    return { action: attribute(start, 'action'), fields, names };
  }
  return assert.fail(`no form with the button ${button} in ${shown(html)}`);
}

function filled({ fields, names }: Form, given: Readonly<Record<string, string>>): [string, string][] {
  for (const name of Object.keys(given))
    assert.ok(names.has(name), `the form has no field ${name}, only ${[...names].join(', ')}`);
  return [...fields.filter(([name]) => !(name in given)), ...Object.entries(given)];
}

/** What a page shows: its text without markup. */
export const shown = (html: string): string => plain(html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '));

const attribute = (tag: string, name: string): string | null => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? null : plain(value);
};

const plain = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#0?39;/g, "'")
    .replaceAll('&amp;', '&')
    .trim();
