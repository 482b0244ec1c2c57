import { z } from 'zod';
import { MOST_DEVICES } from './figure-limits.ts';
import { healthSeverity } from './health.ts';
import { text } from './wire.ts';

/**
 * good: nothing to do; check: look at it before relying on it; bad: do not use it as it is; not_measured: nobody knows. What
 * could not be measured is never good.
 */
export const grade = z.enum(['good', 'check', 'bad', 'not_measured']);
export type Grade = z.infer<typeof grade>;

const MOST_NODES = 256;
/** Most findings of one node, and of one job; the worst are kept, and the verdict counts all. */
export const MOST_FINDINGS_OF_NODE = 100;
export const MOST_FINDINGS_OF_JOB = 400;
const MOST_REMARKS = 40;

const numbers = (most: number) => z.array(z.int().nonnegative()).max(most);
const nodes = numbers(MOST_NODES).meta({
  description:
    'numbers of nodes of the job, from 0, in order of arrival; empty: the job as a whole, or the one node of a task',
});
const devices = numbers(MOST_DEVICES).meta({
  description: 'numbers of devices of the node, from 0, in the order of test_results; empty: the machine as a whole',
});
const figures = z.array(text(60, 1)).max(100);

/** One problem of a run: what, where, and what to do. */
export const runFinding = z
  .object({
    rule: text(60, 1).meta({ description: 'id of the rule; a health rule has its own in the table of health rules' }),
    grade: z.enum(['check', 'bad']),
    nodes,
    devices,
    link: text(200).optional().meta({ description: 'copy, link, port or PCI address, if it is about one of several' }),
    figures: figures.meta({ description: 'metrics it is about' }),
    evidence: text(500, 1).meta({ description: 'what was found, with its number and its limit' }),
    action: text(400).meta({ description: 'what to do; commands stand between backticks' }),
    health: z.object({ severity: healthSeverity, source: text(200) }).optional(),
  })
  .meta({ id: 'RunFinding' });
export type RunFinding = z.infer<typeof runFinding>;

/** What could not be measured or read, by reason: no problem by itself, and never taken for good. */
export const unmeasured = z
  .object({
    nodes,
    devices,
    figures: figures.meta({ description: 'metrics without a value' }),
    signals: z.array(text(60, 1)).max(200).meta({ description: 'signals of health that no rule could judge' }),
    because: text(500, 1),
  })
  .meta({ id: 'Unmeasured' });
export type Unmeasured = z.infer<typeof unmeasured>;

const count = z.int().nonnegative();
const graded = z.object({ of: count, bad: count, check: count });
export const runVerdict = z
  .object({
    grade,
    bad: count.meta({ description: 'findings that are bad' }),
    check: count.meta({ description: 'findings to check' }),
    nodes: graded,
    devices: graded,
    links: graded.meta({ description: 'copies between GPUs, each direction by itself, and links between nodes' }),
    figures: z.object({ good: count, check: count, bad: count, not_measured: count }),
  })
  .meta({ id: 'RunVerdict' });
export type RunVerdict = z.infer<typeof runVerdict>;

/** What is to be said of a run, the same on every surface: terminal, pages, report and answers. */
export const judgement = z
  .object({
    verdict: runVerdict,
    findings: z.array(runFinding).max(MOST_FINDINGS_OF_JOB).meta({ description: 'worst first' }),
    not_measured: z.array(unmeasured).max(MOST_FINDINGS_OF_JOB),
    remarks: z
      .array(z.object({ rule: text(60, 1), evidence: text(500, 1), source: text(200) }))
      .max(MOST_REMARKS)
      .optional()
      .meta({ description: 'of a job: worth knowing, with nothing to do, such as cards with unlike VBIOS' }),
  })
  .meta({ id: 'Judgement' });
export type Judgement = z.infer<typeof judgement>;
export type Remarks = NonNullable<Judgement['remarks']>;
