import { html, type Html, type Content } from '../frame/html.ts';
import { addressHere, type Visit } from '../frame/visit.ts';

/** A line to paste. The script adds a copy button; without it the line can be selected. */
export const command = (line: string, label: string): Html =>
  html`<div class="cmd" data-copy>
    <pre tabindex="0" role="region" aria-label="${label}"><code>${line}</code></pre>
  </div>`;

/** A coordinator command as its operator types it. */
export const operatorLine = (words: string): string => `node_modules/.bin/node coordinator/main.ts ${words}`;

/** A call of the API with a key or a token; `rest` are further options of curl. */
export const apiLine = (visit: Visit, key: string, rest = ''): string =>
  `curl -H 'Authorization: Bearer ${key}' ${rest}${addressHere(visit)}/api/gpu-mark/v1/jobs`;

/** A secret, shown only in the response to the form that created it: it has no URL and is never shown again. */
export const secret = (label: string, value: string, rest: Content): Html =>
  html`<section class="secret note ok" aria-labelledby="secret-head" tabindex="-1" data-focus>
    <h2 id="secret-head">${label}</h2>
    <div class="cmd" data-copy data-download="${label.toLowerCase().replaceAll(/\W+/g, '-')}.txt">
      <output>${value}</output>
    </div>
    <p>Save this now: only a hash of it is stored, so it cannot be shown again. ${rest}</p>
  </section>`;
