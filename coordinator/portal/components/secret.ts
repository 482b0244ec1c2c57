import { html, type Content, type Html } from '../frame/html.ts';

/** A secret in the answer to the form that made it, and nowhere else: never at an address, never again. */
export const secret = (label: string, value: string, rest: Content): Html =>
  html`<section class="secret note ok" aria-labelledby="secret-head" tabindex="-1" data-focus>
    <h2 id="secret-head">${label}</h2>
    <div class="cmd" data-copy data-download="${label.toLowerCase().replaceAll(/\W+/g, '-')}.txt">
      <output>${value}</output>
    </div>
    <p>Save this now: what is stored is a hash, from which it cannot be shown again. ${rest}</p>
  </section>`;
