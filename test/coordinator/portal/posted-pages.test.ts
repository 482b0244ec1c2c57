import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { postedFlows } from './posted-views.ts';
import { shown } from './visitor.ts';

const { flows } = await postedFlows({ after });

for (const { title, go } of flows)
  test(title, () =>
    go((_, by, text) => {
      const { path, status, html } = by.page();
      assert.ok([200, 422].includes(status), `${path}: ${status}`);
      assert.ok(shown(html).includes(text), `${text}: ${path} says ${shown(html)}`);
    }),
  );
