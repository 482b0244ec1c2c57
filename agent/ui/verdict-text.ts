import type { Grade, Judgement, RunFinding, Unmeasured } from '../../coordinator/contract/judgement.ts';
import {
  findingWords,
  type PlaceNames,
  placeWords,
  verdictLine,
} from '../../coordinator/figures/findings/finding-words.ts';
import { metricName, metricNames } from '../../coordinator/figures/metric-names.ts';
import type { Paint, Style } from './paint.ts';
import { padEnd, printable, widthOf, wrapText } from './text-width.ts';

export const WIDTH = 80;
/** Of what is not measured and of remarks, unless everything is asked for. */
export const SHORT_LINES = 4;

export const gradeMarks: Readonly<Record<Grade, { sign: string; style: Style }>> = {
  good: { sign: '✓', style: 'green' },
  check: { sign: '!', style: 'yellow' },
  bad: { sign: '✗', style: 'red' },
  not_measured: { sign: '-', style: 'dim' },
};
export const gradeMark = (grade: Grade, paint: Paint): string => paint(gradeMarks[grade].style, gradeMarks[grade].sign);

/** What the surfaces have in common, and what of it this terminal leaves out. */
export interface Shown {
  judgement: Judgement;
  names: PlaceNames;
  areProcessors: boolean;
  isSimulated: boolean;
  verbose: boolean;
  paint: Paint;
}

const LABEL = 'VERDICT';
const GRADE_WORDS: Readonly<Record<Grade, string>> = {
  good: 'good',
  check: 'check',
  bad: 'bad',
  not_measured: 'not measured',
};

/** First and last: the grade, the figures by grade, and the verdict in the words of all surfaces. */
export function verdictLines({ judgement, areProcessors, isSimulated, verbose, paint }: Shown): string[] {
  const { verdict } = judgement;
  const { good, check, bad, not_measured: missing } = verdict.figures;
  const figures = `${good} ${good === 1 ? 'figure' : 'figures'} good, ${check} to check, ${bad} bad; ${missing} not measured`;
  const words = verdictLine(verdict, areProcessors);
  const [first, second] = verdict.grade === 'good' ? [figures, words] : [words, figures];
  const grade = `${GRADE_WORDS[verdict.grade]}${isSimulated ? ' (simulated)' : ''}`;
  const indent = ' '.repeat(LABEL.length + 2);
  const more = '(details: --verbose)';
  const isShort = widthOf(indent + second) + 1 + more.length <= WIDTH;
  const last = verbose ? [second] : isShort ? [`${second} ${more}`] : [second, more];
  return [...wrapText(`${grade}: ${first}`, WIDTH - indent.length), ...last].map((text, index) =>
    paint(gradeMarks[verdict.grade].style, (index === 0 ? padEnd(LABEL, indent.length) : indent) + text),
  );
}

/** Every finding, worst first: where, what, and what to do, which is said once for all that need the same. */
export function problemLines({ judgement, names, paint }: Shown): string[] {
  const { findings, verdict } = judgement;
  if (findings.length === 0) return [];
  const all = verdict.bad + verdict.check;
  const title = `Problems${all > findings.length ? ` (the worst ${findings.length} of ${all})` : ''}`;
  return [
    paint('bold', title),
    ...[...Map.groupBy(findings, ({ grade, action }) => `${grade} ${action}`).values()].flatMap((group) => [
      ...group.flatMap((finding) =>
        marked(
          gradeMark(finding.grade, paint),
          `${placeWords(finding, names)}: ${findingWords(finding)}${ruleOf(finding)}`,
        ),
      ),
      ...marked(' ', `Do: ${group[0]?.action ?? ''}`).map((line) => paint('dim', line)),
    ]),
  ];
}

/** `help health` has the rule and its source. */
const ruleOf = ({ rule, health }: RunFinding): string => (health === undefined ? '' : ` [${rule}]`);

/** `! text`, wrapped, with the further lines below the first word. */
export const marked = (mark: string, text: string, indent = ''): string[] =>
  wrapText(printable(text), WIDTH - 2 - indent.length).map(
    (line, index) => `${indent}${index === 0 ? mark : ' '} ${line}`,
  );

/** What has no value, by reason: four lines, or everything. */
export function unmeasuredLines({ judgement, names, verbose, paint }: Shown): string[] {
  const all = judgement.not_measured;
  if (all.length === 0) return [];
  const title = paint('bold', 'Not measured');
  if (verbose)
    return [
      title,
      ...all.flatMap((one) => marked('-', `${whereOf(one, names)}${everyName(one)}: ${one.because}`, '  ')),
    ];
  const figures = all.filter((one) => one.figures.length > 0).toSorted((a, b) => b.figures.length - a.figures.length);
  const signals = all.filter((one) => one.signals.length > 0);
  const room = SHORT_LINES - (signals.length > 0 ? 1 : 0);
  const shown = figures.length > room ? figures.slice(0, room - 1) : figures;
  const rest = figures.slice(shown.length);
  return [
    title,
    ...shown.map((one) => cut(`  - ${whereOf(one, names)}${fewNames(one.figures)}: ${one.because}`)),
    ...(rest.length === 0
      ? []
      : [cut(`  - ${fewNames([...new Set(rest.flatMap((one) => one.figures))])}: ${reasons(rest)}`)]),
    ...(signals.length === 0
      ? []
      : [cut(`  - ${counted(namesOf(signals).size, 'signal')} of health: ${reasons(signals)}`)]),
  ];
}

const reasons = (all: readonly Unmeasured[]): string => {
  const [first] = all;
  const count = new Set(all.map(({ because }) => because)).size;
  return count === 1 ? (first?.because ?? '') : `${count} reasons (--verbose)`;
};

/** The reason needs the room. */
const fewNames = ([first = '', ...others]: readonly string[]): string =>
  others.length < 2 ? metricNames([first, ...others]) : `${metricName(first)} and ${others.length} more`;

const namesOf = (all: readonly Unmeasured[]): Set<string> => new Set(all.flatMap(({ signals }) => signals));
const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;
const everyName = ({ figures, signals }: Unmeasured): string =>
  [...figures.map((metric) => metricNames([metric])), ...signals].join(', ');

/** Only if it is not the whole machine. */
function whereOf({ devices }: Unmeasured, names: PlaceNames): string {
  const count = names.devicesOf(0)?.count ?? 0;
  return devices.length === 0 || devices.length === count ? '' : `${placeWords({ nodes: [], devices }, names)}: `;
}

/** One line, cut between words. */
function cut(text: string): string {
  const [first = '', ...more] = wrapText(printable(text.trimStart()), WIDTH - 4);
  return `${padEnd('', text.length - text.trimStart().length)}${first}${more.length === 0 ? '' : ' …'}`;
}
