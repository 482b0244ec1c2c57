import type { ReportNetwork, ReportNode } from '../report-model.ts';

/** Names of the nodes by number; the domain is left out if all have the same and the names stay unique without it. */
export function nodeNames({ results }: Pick<ReportNetwork, 'results'>): string[] {
  const names = results.nodes.map(({ name }) => name);
  const split = names.map((name) => /^([^.]+)(\..+)$/.exec(name));
  const heads = split.map((parts) => parts?.[1] ?? '');
  const domains = new Set(split.map((parts) => parts?.[2]));
  const isShared = domains.size === 1 && !domains.has(undefined) && new Set(heads).size === heads.length;
  return isShared ? heads : names;
}

/** The name shown for a machine: its host name, or else its UUID. */
export const nodeName = (node: ReportNode): string => node.hostname?.trim() || node.machineUuid;
