/**
 * Links between nodes, measured by packaged agents in network namespaces. One file, because the runs time what they do: two
 * of them side by side are company enough for two cores. One part alone: `node --test test/e2e/network/healthy.ts`.
 */
import './network/lab-itself.ts';
import './network/healthy.ts';
import './network/shaped-faults.ts';
import './network/broken-nodes.ts';
import './network/coordinator-restart.ts';
import './network/collective.ts';
