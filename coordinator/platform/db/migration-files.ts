import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseStartError } from './database-start.ts';

export type Migration = {
  number: number;
  /** File name, for example 0002-add-price-source.sql. */
  name: string;
  text: string;
  /** SHA-256 of the file's bytes, hex. */
  checksum: string;
  /** False if the file has the header `-- nontransactional`, as for `create index concurrently`. */
  transactional: boolean;
  /** True if the file has the header `-- breaking`: versions that do not know this file must not run on the result. */
  breaking: boolean;
};

const FILE_NAME = /^(\d{4})-[a-z0-9]+(-[a-z0-9]+)*\.sql$/;

/**
 * Reads all migrations in order. Throws `DatabaseStartError` on a wrong name, a gap, a number used
 * twice, a file that begins or ends a transaction, or a nontransactional file with a $$ body.
 */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => !name.startsWith('.')).toSorted();
  const migrations: Migration[] = [];
  for (const name of names) {
    const number = Number(FILE_NAME.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(number)) {
      throw new DatabaseStartError(`${name} in the migrations is not named NNNN-what-it-does.sql.`);
    }
    const expected = migrations.length + 1;
    if (number !== expected) {
      const fault =
        number < expected ? 'is used twice or out of range' : `follows ${String(expected - 1).padStart(4, '0')}`;
      throw new DatabaseStartError(
        `Migration numbers must be 0001, 0002, ... without gaps: the number of ${name} ${fault}.`,
      );
    }
    migrations.push(parse(number, name, await readFile(join(directory, name))));
  }
  return migrations;
}

function parse(number: number, name: string, bytes: Buffer): Migration {
  const text = bytes.toString('utf8');
  const headers = leadingComments(text);
  const transactional = !headers.includes('-- nontransactional');
  if (/^\s*(begin|commit|rollback)\s*;/im.test(text)) {
    throw new DatabaseStartError(`${name} ends or begins a transaction itself; the runner does that.`);
  }
  if (!transactional && text.includes('$$')) {
    throw new DatabaseStartError(
      `${name} is nontransactional and holds a $$ body; put functions into a file of their own.`,
    );
  }
  const checksum = createHash('sha256').update(bytes).digest('hex');
  return { number, name, text, checksum, transactional, breaking: headers.includes('-- breaking') };
}

function leadingComments(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  const end = lines.findIndex((line) => line !== '' && !line.startsWith('--'));
  return end < 0 ? lines : lines.slice(0, end);
}
