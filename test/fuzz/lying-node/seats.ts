/** Seats of the honest nodes of a job are 0 to 2; the liar has the one after them. */
export const HONEST = 3;
/** Place of cluster_network in the job: quick_mark is put before it. */
export const ITEM = 1;

/** Which part of the measurement of links a job stands in while it is lied to. */
export const phases = ['preflight', 'rounds', 'collective'] as const;
export type Phase = (typeof phases)[number];
