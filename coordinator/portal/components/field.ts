import { valuesOf } from '../frame/asked.ts';
import { html, type Content, type Html } from '../frame/html.ts';

export interface Field {
  name: string;
  label: string;
  /** index among the fields of this name, from 0 */
  at?: number;
  type?: 'text' | 'email' | 'password' | 'number' | 'datetime-local' | 'date';
  value?: string | null | undefined;
  /** what a password manager fills in */
  autocomplete?: string;
  hint?: Content;
  /** the error in the submitted value */
  error?: string | undefined;
  required?: boolean;
  min?: number;
  max?: number;
  step?: number | 'any';
  maxlength?: number;
}

/** A labelled control; its error is shown next to it and announced with it. */
export function field(given: Field): Html {
  const { name, label, at, type = 'text', value, hint, error, required } = given;
  const id = idOf(name, at);
  const about = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return html`<div class="field${error ? ' wrong' : ''}">
    <label for="${id}">${label}</label>
    ${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : null}${error ? html`<p class="error" id="${id}-error">${error}</p>` : null}
    <input
      id="${id}"
      name="${name}"
      type="${type}"
      ${attribute('value', type === 'password' ? null : value)}${attribute('autocomplete', given.autocomplete)}${attribute('min', given.min)}${attribute('max', given.max)}${attribute('step', given.step)}${attribute('maxlength', given.maxlength)}${required ? html` required` : null}${error ? html` aria-invalid="true"` : null}${about ? html` aria-describedby="${about}"` : null}
    />
  </div>`;
}

const idOf = (name: string, at = 0): string => (at === 0 ? `f-${name}` : `f-${name}-${at}`);

/** One control for each value of a parameter that can be repeated, so that none is lost when the form is sent. */
export const eachValue = (
  query: URLSearchParams,
  { name, label }: Pick<Field, 'name' | 'label'>,
  control: (given: { name: string; label: string; value: string | null; at: number }) => Html,
): Html[] => {
  const [first = null, ...others] = valuesOf(query, name);
  return [first, ...others].map((value, at) => control({ name, label: at === 0 ? label : `or ${label}`, value, at }));
};

const attribute = (name: string, value: string | number | null | undefined): Content =>
  value === null || value === undefined ? null : html` ${name}="${value}"`;

interface Choice {
  name: string;
  label: string;
  at?: number;
  value?: string | null;
  options: readonly { value: string; label: string }[];
}

export const select = ({ name, label, at, value, options }: Choice): Html =>
  html`<div class="field">
    <label for="${idOf(name, at)}">${label}</label
    ><select id="${idOf(name, at)}" name="${name}">
      ${options.map((option) => html`<option value="${option.value}" ${option.value === (value ?? '') ? html` selected` : null}>${option.label}</option>`)}
    </select>
  </div>`;

/** The errors of a form, placed before it; receives the focus. Each entry links to its field. */
export function errorSummary(errors: ReadonlyMap<string, string>): Content {
  if (errors.size === 0) return null;
  return html`<div class="note bad" role="alert" tabindex="-1" data-focus>
    <p>
      <strong class="lead">Nothing was changed.</strong>
      ${errors.size === 1 ? 'One thing needs' : `${errors.size} things need`} correcting:
    </p>
    <ul>
      ${[...errors].map(([name, message]) => html`<li>${name === '' ? message : html`<a href="#f-${name}">${message}</a>`}</li>`)}
    </ul>
  </div>`;
}
