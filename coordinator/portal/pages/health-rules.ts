import { ruleThemes } from '../../figures/health-rules.ts';
import { actionWords, conditionWords, type HealthRule, plainSays, whoseWords } from '../../figures/health/rule.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/note.ts';
import { pageAsked, pageOfAll } from '../frame/asked.ts';
import { html } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, wholeListing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';

type Row = HealthRule & { theme: string };

const scopes = { device: 'card', node: 'machine', job: 'job' } as const;

const rules = tableOf<Row>([
  { name: 'rule', label: 'Rule', value: ({ id }) => id, cell: ({ id }) => html`<code class="long">${id}</code>` },
  { name: 'theme', label: 'About', value: ({ theme }) => theme },
  { name: 'scope', label: 'Of', value: ({ scope }) => scopes[scope], isHidden: true },
  { name: 'signal', label: 'Signal', value: ({ signal }) => signal, isHidden: true },
  {
    name: 'condition',
    label: 'Condition',
    value: conditionWords,
    cell: (rule) => html`${conditionWords(rule)}<small class="long">${rule.signal}</small>`,
  },
  { name: 'models', label: 'Cards', value: (rule) => whoseWords(rule) || 'all' },
  { name: 'severity', label: 'Severity', value: ({ severity }) => severity },
  { name: 'finding', label: 'Finding', value: plainSays },
  { name: 'action', label: 'Do', value: ({ action }) => actionWords[action] },
  {
    name: 'document',
    label: 'Source',
    value: ({ source }) => source.document,
    cell: ({ source: { document, section, confidence } }) => html`${document}: ${section}<small>${confidence}</small>`,
  },
  { name: 'section', label: 'Section', value: ({ source }) => source.section, isHidden: true },
  { name: 'confidence', label: 'Known how', value: ({ source }) => source.confidence, isHidden: true },
]);

/** The rule that a finding links to, or all. */
const chosen = (rule: string | null): Row[] =>
  ruleThemes
    .flatMap(({ theme, rules: of }) => of.map((one) => ({ ...one, theme })))
    .filter(({ id }) => rule === null || rule === '' || id === rule);

/** The table by which agent and coordinator judge the health of cards, machines and jobs. */
export const healthRulePages: readonly PageRoute[] = list(
  '/health-rules',
  { who: 'public' },
  {
    table: rules,
    load: async ({ query }) => pageOfAll(chosen(query.get('rule')), pageAsked(query)),
    loadAll: async ({ query }) => wholeListing(chosen(query.get('rule'))),
    show: async (visit, listing) =>
      page(visit, {
        title: 'Health rules',
        facts: 'What is judged beside the figures, on the machine and again here',
        body: html`<p>
            <b>info</b>: worth knowing, nothing to do. <b>warning</b>: usable, but act; the job ends completed with
            warnings. <b>critical</b>: not usable before the action is done; the figures are kept, the task fails. A
            signal that could not be read is never taken for healthy.
          </p>
          <p>
            Below a source stands how it is known: <i>read</i> in the vendor’s document or in two that agree, on
            <i>one page</i>, or from <i>memory</i>: known in the field, not found in a document.
          </p>
          ${dataTable(visit, { caption: 'Rules by theme', table: rules, listing, filesHaveAll: true, ifEmpty: empty('No rule has this name.', html`<a href="/health-rules">All rules</a>`) })}`,
      }),
  },
);
