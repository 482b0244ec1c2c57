import { randomFillSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock, RandomSource } from '../run/host.ts';
import { realDisk, syncDirectory } from './disk.ts';
import type { Disk } from './disk.ts';
import { openEntry, sealEntry } from './spool-entry.ts';
import type { SpoolEntry } from './spool-entry.ts';
import { makeDirectory } from './make-directory.ts';

/** A result of 64 devices takes about 300 kB; the reserve, released when the disk is full, holds one. */
const RESERVE_BYTES = 512 * 1024;
const SPOOL_BYTES_MAX = 64 * 1024 * 1024;
const SPOOL_FILES_MAX = 1_000;

/** Results wait here from the moment they are measured until the coordinator has acknowledged them. */
export class Spool {
  readonly directory: string;
  readonly #disk: Disk;

  constructor(stateDirectory: string, disk: Disk = realDisk) {
    this.directory = join(stateDirectory, 'spool');
    this.#disk = disk;
  }

  /** Makes the directories (0700) and the reserve. Called before measuring; a full disk is not an error yet. */
  prepare(): void {
    try {
      makeDirectory(this.#quarantine);
      if (existsSync(this.#reserve)) return;
      // Random bytes, so that no file system stores the reserve compressed or as a hole.
      this.#disk.writeDurably(this.#reserve, randomFillSync(Buffer.alloc(RESERVE_BYTES)));
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }

  /**
   * Stores one entry so that neither kill -9 nor a power cut loses it.
   * @returns the file's path
   * @throws DiskFullError once the reserve is used up as well, or the spool is at its limit
   */
  save(entry: SpoolEntry, clock: Clock, random: RandomSource): string {
    const content = sealEntry(entry);
    this.#checkRoom(content.length);
    const time = new Date(clock.now()).toISOString().replaceAll(/[-:.]/g, '');
    const path = join(this.directory, `${time}-${random.hex(5)}.json`);
    try {
      this.#disk.writeDurably(path, content);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      this.#releaseReserveAndWrite(path, content);
    }
    return path;
  }

  /** Paths, oldest first. */
  waiting(): string[] {
    if (!existsSync(this.directory)) return [];
    const names = readdirSync(this.directory).filter((name) => name.endsWith('.json'));
    return names.toSorted().map((name) => join(this.directory, name));
  }

  /** `gone`: another process has delivered it since the directory was read. */
  read(path: string): SpoolEntry | 'damaged' | 'gone' {
    try {
      return openEntry(readFileSync(path, 'utf8')) ?? 'damaged';
    } catch (error) {
      return isMissing(error) ? 'gone' : 'damaged';
    }
  }

  /** Call this only after the coordinator has echoed the result's key. */
  remove(path: string): void {
    this.#disk.remove(path);
  }

  /** Sets aside a damaged or permanently refused file. @returns the new path; null if another process has moved or removed it */
  quarantine(path: string): string | null {
    const target = join(this.#quarantine, basename(path));
    makeDirectory(this.#quarantine);
    const moved = moveIfThere(path, target);
    syncDirectory(this.directory);
    return moved ? target : null;
  }

  /** Puts the refused results back among the waiting ones. */
  releaseQuarantine(): void {
    if (!existsSync(this.#quarantine)) return;
    const names = readdirSync(this.#quarantine).filter((name) => name.endsWith('.json'));
    for (const name of names) moveIfThere(join(this.#quarantine, name), join(this.directory, name));
    syncDirectory(this.directory);
  }

  get #quarantine(): string {
    return join(this.directory, 'quarantine');
  }

  get #reserve(): string {
    return join(this.directory, '.reserve');
  }

  #releaseReserveAndWrite(path: string, content: string): void {
    this.#disk.remove(this.#reserve);
    try {
      this.#disk.writeDurably(path, content);
    } catch (error) {
      throw isDiskFull(error) ? new DiskFullError(`the disk of ${this.directory} is full`, error) : error;
    }
  }

  #checkRoom(bytes: number): void {
    const sizes = this.waiting().map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    const total = sizes.reduce((sum, size) => sum + size, bytes);
    if (sizes.length >= SPOOL_FILES_MAX || total > SPOOL_BYTES_MAX) {
      throw new DiskFullError(`the spool ${this.directory} holds ${sizes.length} results and has reached its limit`);
    }
  }
}

export class DiskFullError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DiskFullError';
  }
}

/** Two processes may work on one spool, so a file that the other has moved or removed is not an error. */
function moveIfThere(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return false;
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && FULL_CODES.has(String(error.code));
