import { html, raw, type Content, type Html } from '../frame/html.ts';
import { status, type Tone } from './status.ts';

export interface Step {
  tone: Tone;
  label: string;
  detail: Content;
  isCurrent?: boolean;
}

/** Past steps with their time, the present one with its count, those to come with their condition. */
export const timeline = (steps: readonly Step[]): Html =>
  html`<ol class="steps">
    ${steps.map(({ tone, label, detail, isCurrent }) => html`<li class="${tone}" ${isCurrent ? raw(' aria-current="step"') : null}>${status(tone, label)}<span>${detail}</span></li>`)}
  </ol>`;
