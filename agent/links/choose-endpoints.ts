import type { NetworkInterfaceInfo } from 'node:os';
import type { NetworkEndpoint } from '../../coordinator/contract/network-protocol.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import { isLinkLocal, isPrivate } from '../../coordinator/contract/address-networks.ts';
import { isUnusable } from './address-kind.ts';
import { readInterfaceFacts } from './interface-facts.ts';
import type { InterfaceFacts } from './interface-facts.ts';

/** An address to listen on, before a port is chosen. */
export type Candidate = Omit<NetworkEndpoint, 'port'>;
export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

export interface EndpointChoice {
  /** Only these; null: all suitable ones. */
  interfaces: readonly string[] | null;
  allow_public: boolean;
}

/** The contract's limit. */
const ENDPOINTS_MAX = 16;

/**
 * Addresses at which other nodes may reach this one, best first: the fastest interface, IPv4 before IPv6, link-local
 * addresses last. Public addresses are used only on request. Interfaces without hardware below them (tunnels, for
 * example) are used if no other has a usable address, as inside a container; container bridges only by name, since
 * their addresses are the same on every machine.
 */
export function chooseEndpoints(
  files: SystemFiles,
  interfaces: Interfaces,
  choice: EndpointChoice,
): { candidates: Candidate[]; notes: string[] } {
  const notes: string[] = [];
  const found = Object.entries(interfaces).flatMap(([name, addresses]) => {
    if (choice.interfaces !== null && !choice.interfaces.includes(name)) return [];
    const facts = readInterfaceFacts(files, name);
    if (!facts.is_up) return [];
    return (addresses ?? []).flatMap((info) => candidatesOf(info, facts, choice, notes));
  });
  const wanted = choice.interfaces === null ? withHardwareFirst(found) : found;
  const candidates = wanted
    .toSorted((a, b) => rank(a) - rank(b) || speedOf(b) - speedOf(a) || familyOf(a) - familyOf(b))
    .slice(0, ENDPOINTS_MAX)
    .map(({ candidate }) => candidate);
  if (candidates.length === 0) notes.push('this machine has no address to listen on: it only dials');
  return { candidates, notes };
}

interface Found {
  candidate: Candidate;
  facts: InterfaceFacts;
}

function candidatesOf(
  info: NetworkInterfaceInfo,
  facts: InterfaceFacts,
  { interfaces, allow_public }: EndpointChoice,
  notes: string[],
): Found[] {
  if (info.internal || isUnusable(info.address)) return [];
  if (!isPrivate(info.address) && !allow_public) {
    notes.push(`${info.address} on ${facts.name} is a public address and not used; --net-public allows it`);
    return [];
  }
  if (interfaces === null && facts.kind === 'container bridge') return [];
  // Link-local addresses of virtual interfaces are local to the machine, for a DNS resolver for example.
  if (interfaces === null && facts.kind === 'virtual' && isLinkLocal(info.address)) return [];
  const { name, speed_mbps, mtu, connection_type } = facts;
  const prefix = info.cidr === null ? null : Number(info.cidr.split('/')[1]);
  const candidate = { address: info.address, interface: name, prefix_length: prefix, speed_mbps, mtu, connection_type };
  return [{ candidate, facts }];
}

function withHardwareFirst(found: Found[]): Found[] {
  const backed = found.filter(({ facts }) => facts.kind === 'hardware');
  return backed.length > 0 ? backed : found;
}

const rank = ({ candidate }: Found): number => (isLinkLocal(candidate.address) ? 1 : 0);
const speedOf = ({ candidate }: Found): number => candidate.speed_mbps ?? 0;
const familyOf = ({ candidate }: Found): number => (candidate.address.includes(':') ? 1 : 0);
