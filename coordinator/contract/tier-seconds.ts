/**
 * Seconds that QuickMark takes on a node by the agent's `--tier`: what a quick and a standard run are planned for, and what the
 * benchmarks of a soak add up to.
 */
export const tierSeconds = { quick: 60, standard: 900, soak: 16 * 3600 } as const;
