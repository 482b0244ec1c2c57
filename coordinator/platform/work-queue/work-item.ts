/** What may be asked for; the CHECK of work_item lists the same two. */
export type WorkKind = 'job_report' | 'task_report';

export interface WorkSubject {
  kind: WorkKind;
  /** id of the job or task */
  subjectId: string;
  /** whose turn it takes */
  customerId: string;
}

export interface ClaimedWork extends WorkSubject {
  id: string;
  /** 1 for the first try; with the id it fences off a runner that lost its lock */
  attempts: number;
  /** what the last try ended with */
  error: string | null;
}
