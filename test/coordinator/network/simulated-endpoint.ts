import type { NetworkEndpoint } from '../../../coordinator/contract/network-protocol.ts';

/** An address of a private network that no other task has. */
export function endpointOf(taskId: string, speedMbps: number | null = 10_000): NetworkEndpoint {
  const number = Number(BigInt(taskId) % 62_500n);
  return {
    address: `10.7.${Math.floor(number / 250)}.${(number % 250) + 1}`,
    port: 20_000 + (number % 20_000),
    interface: 'eth0',
    prefix_length: 16,
    speed_mbps: speedMbps,
    mtu: 1500,
    connection_type: 'ethernet',
  };
}
