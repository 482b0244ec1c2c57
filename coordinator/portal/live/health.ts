import type { HealthFinding } from '../../contract/health.ts';
import { quickMarkResults } from '../../contract/quick-mark.ts';
import { healthOfStored } from '../../figures/node-health.ts';
import { placedFindings } from '../../figures/tell-health.ts';
import { html, named, type Html } from '../frame/html.ts';

/** A remark of a health rule: no problem, which would stand among the problems. */
export interface HealthRemark {
  place: string;
  finding: HealthFinding;
}

/** Of a stored result; none if it cannot be read. */
export function remarksIn(results: unknown): HealthRemark[] {
  const parsed = quickMarkResults.safeParse(results).data;
  if (parsed === undefined) return [];
  return placedFindings(healthOfStored(parsed)).filter(({ finding }) => finding.severity === 'info');
}

/** Remarks of the health rules. Shared pages leave out what was read: it may name things. */
export function remarkSection(remarks: readonly HealthRemark[], isShared: boolean): Html | null {
  if (remarks.length === 0) return null;
  return html`<section>
    <h2>Remarks of the health rules</h2>
    <ul class="small">
      ${remarks.map(({ place, finding: { rule, evidence, of } }) => {
        const where = of === undefined || isShared ? place : `${place}, ${of}`;
        return html`<li>
          ${named(where)}: ${isShared ? 'a remark' : named(evidence, MOST_WORDS)} (rule
          <a href="/health-rules?rule=${rule}">${rule}</a>)
        </li>`;
      })}
    </ul>
  </section>`;
}

const MOST_WORDS = 1000;
