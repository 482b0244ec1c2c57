import { z } from 'zod';

const wanted = 'must be the task_secret that register answered to this session';
/** 256 bits after a prefix that identifies a leaked secret. */
const taskSecret = z.string(wanted).regex(/^gmts_[A-Za-z0-9_-]{43}$/, wanted);

/** Every call of a task except `register` proves that it comes from the session that registered. */
export const taskHeaders = z.object({
  'x-task-secret': taskSecret.meta({
    description: 'the `task_secret` that register answered to this session; all nodes of a job share its token',
  }),
});

/** For calls whose caller may have no task yet. */
export const optionalTaskHeaders = taskHeaders.partial();
