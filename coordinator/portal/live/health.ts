import type { HealthFinding, NotReadSignals } from '../../contract/health.ts';
import { quickMarkResults } from '../../contract/quick-mark.ts';
import { actionWords } from '../../figures/health/rule.ts';
import { deviceNames } from '../../figures/device-name.ts';
import { healthOfStored } from '../../figures/node-health.ts';
import { placedFindings } from '../../figures/tell-health.ts';
import { statusShape } from '../components/status.ts';
import { html, named, type Content, type Html } from '../frame/html.ts';

/** What the health rules found on a node, and what they could not judge. */
export interface NodeHealthView {
  found: readonly { place: string; finding: HealthFinding }[];
  notRead: readonly { place: string; notRead: NotReadSignals }[];
}

/** Of a stored result; null if it cannot be read. */
export function healthIn(results: unknown): NodeHealthView | null {
  const parsed = quickMarkResults.safeParse(results).data;
  if (parsed === undefined) return null;
  const judged = healthOfStored(parsed);
  const names = deviceNames(judged.test_results);
  return {
    found: placedFindings(judged),
    notRead: [
      ...judged.test_results.flatMap(({ health_not_read: list = [] }, at) =>
        list.map((notRead) => ({ place: names[at] ?? 'device', notRead })),
      ),
      ...(judged.node_health_not_read ?? []).map((notRead) => ({ place: 'machine', notRead })),
    ],
  };
}

/** Findings worst first with their actions, then what was not read. Shared pages leave out what was read: it may name things. */
export function healthSection({ found, notRead }: NodeHealthView, isShared: boolean): Html | null {
  if (found.length + notRead.length === 0) return null;
  const list = found.map(({ place, finding }) => findingItem(place, finding, isShared));
  return html`<section>
    <h2>Health</h2>
    ${
      found.length === 0
        ? html`<p>No rule found a fault among the signals that were read.</p>`
        : html`<ul class="warnings">
            ${list}
          </ul>`
    }
    ${isShared || notRead.length === 0 ? null : unread(notRead)}
  </section>`;
}

function findingItem(place: string, { rule, severity, evidence, action, of }: HealthFinding, isShared: boolean): Html {
  const tone = severity === 'critical' ? 'bad' : severity === 'warning' ? 'warn' : 'none';
  const where = of === undefined || isShared ? place : `${place}, ${of}`;
  return html`<li class="${tone}">
    ${statusShape(tone)}
    <div>
      <p><strong>${named(where)}: ${isShared ? severity : named(evidence)}</strong></p>
      <p class="do">
        ${severity}, rule <a href="/health-rules?rule=${rule}">${rule}</a>. <b>Do:</b> ${actionWords[action]}.
      </p>
    </div>
  </li>`;
}

/** One line per reason, with the places that share it. */
function unread(notRead: NodeHealthView['notRead']): Content {
  const reasons = Map.groupBy(notRead, ({ notRead: { because, signals } }) => `${signals.join(', ')}: ${because}`);
  return html`<details>
    <summary>Not read, so not judged</summary>
    <ul>
      ${[...reasons].map(([words, of]) => html`<li>${named(of.map(({ place }) => place).join(', '))}: ${named(words)}</li>`)}
    </ul>
  </details>`;
}
