/** Variables of Slurm, Kubernetes and MPI launchers that say which node of how many this is. Nothing else of the environment is sent. */
const VARIABLES = [
  'SLURM_JOB_ID',
  'SLURM_NODEID',
  'SLURM_NNODES',
  'SLURM_PROCID',
  'SLURMD_NODENAME',
  'JOB_COMPLETION_INDEX',
  'NODE_NAME',
  'POD_NAME',
  'OMPI_COMM_WORLD_RANK',
  'OMPI_COMM_WORLD_SIZE',
  'PMI_RANK',
] as const;

export function launcherFacts(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const facts = VARIABLES.map((name) => [name.toLowerCase(), env[name]?.slice(0, 400)]);
  return Object.fromEntries(facts.filter(([, value]) => value !== undefined && value !== ''));
}
