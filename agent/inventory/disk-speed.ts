import { closeSync, constants, fsyncSync, openSync, readSync, rmSync, statSync, statfsSync, writeSync } from 'node:fs';
import { randomFillSync } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Clock, MeasuredDisk } from '../run/host.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;
const FILE_BYTES_MAX = 256 * 1024 * 1024;
/** Time for writing and for reading, each; the last chunk and the fsync are additional. */
const PHASE_MS = 700;
/** Minimum free space; a fuller disk is not measured. */
const FREE_BYTES_MIN = 2 * 1024 * 1024 * 1024;
const PAGE_BYTES = 4096;

/**
 * Sequential direct I/O in chunks of 4 MiB on the disk that holds `directory`: at most 256 MiB or 0.7 s in each
 * direction, bypassing the page cache (O_DIRECT), with the write's fsync included in its time. MB/s of 1e6 bytes. Null
 * with a reason if the file system refuses direct I/O, since a cached figure would not measure the disk.
 */
export async function measureDiskSpeed(directory: string, clock: Clock): Promise<MeasuredDisk> {
  const device = deviceNumber(statSync(directory).dev);
  const room = statfsSync(directory);
  const none = { read_speed: null, write_speed: null };
  // Major 0 is anonymous (btrfs, overlay, tmpfs, network): a figure could not be assigned to a disk of the list.
  if (device.startsWith('0:'))
    return {
      device,
      speed: none,
      reason: `the file system that holds the agent’s state names no disk (device ${device})`,
    };
  if (room.bavail * room.bsize < FREE_BYTES_MIN) return { device, speed: none, reason: 'less than 2 GiB are free' };
  const path = join(directory, `.disk-speed-${process.pid}`);
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_DIRECT, 0o600);
    const buffer = alignedBuffer(file);
    if (buffer === null) return { device, speed: none, reason: 'the file system refuses direct I/O' };
    const write_speed = await writeChunks(file, buffer, clock);
    const read_speed = await readChunks(file, buffer, clock);
    return { device, speed: { read_speed, write_speed }, reason: null };
  } catch (error) {
    return { device, speed: none, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    if (file !== undefined) closeSync(file);
    rmSync(path, { force: true });
  }
}

async function writeChunks(file: number, buffer: Uint8Array, clock: Clock): Promise<number> {
  const start = clock.elapsed();
  let bytes = 0;
  while (bytes < FILE_BYTES_MAX && clock.elapsed() - start < PHASE_MS) {
    bytes += writeSync(file, buffer, 0, buffer.length, bytes);
    await setImmediate();
  }
  fsyncSync(file);
  return megabytesPerSecond(bytes, clock.elapsed() - start);
}

async function readChunks(file: number, buffer: Uint8Array, clock: Clock): Promise<number> {
  const start = clock.elapsed();
  let bytes = 0;
  while (clock.elapsed() - start < PHASE_MS) {
    const count = readSync(file, buffer, 0, buffer.length, bytes);
    if (count === 0) break;
    bytes += count;
    await setImmediate();
  }
  return megabytesPerSecond(bytes, clock.elapsed() - start);
}

/**
 * Direct I/O needs page-aligned memory and JavaScript cannot see addresses: the offset at which the kernel accepts a
 * small write is aligned. malloc aligns to 16 bytes, so at most 256 attempts.
 */
function alignedBuffer(file: number): Uint8Array | null {
  const memory = randomFillSync(Buffer.allocUnsafeSlow(CHUNK_BYTES + PAGE_BYTES));
  for (let offset = 0; offset < PAGE_BYTES; offset += 16) {
    try {
      writeSync(file, memory, offset, PAGE_BYTES, 0);
      return memory.subarray(offset, offset + CHUNK_BYTES);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EINVAL')) throw error;
    }
  }
  return null;
}

/** glibc's gnu_dev_major and gnu_dev_minor. */
export function deviceNumber(dev: number): string {
  const bits = BigInt(dev);
  const major = ((bits >> 8n) & 0xfffn) | ((bits >> 32n) & 0xfffff000n);
  const minor = (bits & 0xffn) | ((bits >> 12n) & 0xffffff00n);
  return `${major}:${minor}`;
}

const megabytesPerSecond = (bytes: number, ms: number): number => Number((bytes / 1e6 / (ms / 1000)).toFixed(1));
