import { html, type Html } from '../frame/html.ts';

/** A line to paste. The script adds the button that copies it; without it the line is there to be marked. */
export const command = (line: string, label: string): Html =>
  html`<div class="cmd" data-copy>
    <pre tabindex="0" role="region" aria-label="${label}"><code>${line}</code></pre>
  </div>`;

/** A command of the coordinator as its operator types it. */
export const operatorLine = (words: string): string => `node_modules/.bin/node coordinator/main.ts ${words}`;
