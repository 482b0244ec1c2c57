import type { Probed } from '../inventory/probe.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import { notRead, read } from './reading.ts';

export const PCI = 'sys/bus/pci/devices';

const ADDRESS = /^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/;
/** Bridges above a device: root port, switches in switches. */
const DEPTH_MAX = 16;

/** The PCI address that a `device` link of another class leads to. */
export function pciAddressOf(files: SystemFiles, link: string): Probed<string> {
  const { value: target, reason } = files.link(link);
  if (target === null) return notRead(`${link.split('/').at(-1) ?? link}: ${reason ?? ''}`);
  const name = target.split('/').at(-1) ?? '';
  return ADDRESS.test(name) ? read(name) : notRead('not a PCI device');
}

/**
 * The bridges above a device, the nearest first, by where its link in /sys/bus/pci/devices leads:
 * `../../../devices/pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:00.0/0000:19:00.0`. None if it hangs on the root bus, as in
 * most virtual machines.
 */
export function bridgesAbove(files: SystemFiles, address: string): Probed<string[]> {
  const { value: target, reason } = files.link(`${PCI}/${address}`);
  if (target === null) return notRead(reason ?? 'unknown');
  const parts = target.split('/').filter((part) => ADDRESS.test(part));
  return read(parts.slice(0, -1).toReversed().slice(0, DEPTH_MAX));
}

/** First byte of the data: identifier string (PCI local bus specification 3.0, appendix I). */
const IDENTIFIER = 0x82;
const VPD_BYTES = 256;

/** The name that a device carries in its vital product data, which Linux shows as the file `vpd`. */
export function vitalProductData(files: SystemFiles, address: string): Probed<string> {
  const { value: content, reason } = files.content(`${PCI}/${address}/vpd`, VPD_BYTES);
  if (content === null) return notRead(`vpd of ${address}: ${reason ?? ''}`);
  const { bytes } = content;
  if (bytes.length < 3 || bytes[0] !== IDENTIFIER) return notRead(`vpd of ${address}: no name`);
  return read(bytes.toString('latin1', 3, Math.min(bytes.length, 3 + bytes.readUInt16LE(1))).trim());
}

/** Extended capabilities begin here and are a list (PCI Express base specification 5.0, 7.6.3). */
const EXTENDED = 0x100;
const CONFIG_BYTES = 4096;
/** Access control services, 7.7.8: the control register lies 6 bytes behind the header. */
const ACS = 0x0d;
const ACS_CONTROL = 6;
/** P2P request redirect, P2P completion redirect, P2P egress control: those that the kernel's disable_acs_redir= turns off. */
const REDIRECT = 0x04 | 0x08 | 0x20;

/**
 * Whether a bridge sends copies between two devices below it up to the root instead of across. Only root may read more than the
 * first 64 bytes of the configuration space.
 */
export function redirectsPeers(files: SystemFiles, address: string): Probed<boolean> {
  const { value: content, reason } = files.content(`${PCI}/${address}/config`, CONFIG_BYTES);
  if (content === null) return notRead(`config: ${reason ?? ''}`);
  const { bytes } = content;
  if (bytes.length < EXTENDED) return notRead('only root may read the whole configuration space');
  // Each entry takes at least 8 bytes: a list in a circle ends.
  let place = EXTENDED;
  for (let entries = 0; entries < CONFIG_BYTES / 8 && place >= EXTENDED && place + 8 <= bytes.length; entries += 1) {
    const header = bytes.readUInt32LE(place);
    if (header === 0xff_ff_ff_ff) return notRead('the bridge does not answer (all ones)');
    if ((header & 0xff_ff) === ACS) return read((bytes.readUInt16LE(place + ACS_CONTROL) & REDIRECT) !== 0);
    place = (header >>> 20) & 0xffc;
  }
  return read(false);
}
