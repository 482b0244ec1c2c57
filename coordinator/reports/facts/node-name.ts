import type { ReportNode } from '../report-model.ts';

/** What a person calls the machine: its host name, else its identity. */
export const nodeName = (node: ReportNode): string => node.hostname?.trim() || node.machineUuid;
