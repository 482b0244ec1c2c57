import type { FormErrors } from '../frame/attempt.ts';
import { html, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import type { Visit } from '../frame/visit.ts';
import { errorSummary } from './field.ts';

/** A page that consists mainly of a form. If it has errors, their summary comes first and the title says so. */
export const formPage = (
  visit: Visit,
  title: string,
  errors: FormErrors,
  body: Content,
  place: Pick<Parameters<typeof page>[1], 'nav' | 'crumbs'> = {},
): Promise<Response> =>
  page(visit, {
    ...place,
    title: errors.size > 0 ? `Error: ${title}` : title,
    heading: title,
    status: errors.size > 0 ? 422 : 200,
    body: html`${errorSummary(errors)}${body}`,
  });
