import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './source-files.ts';

/**
 * The tree as the next release may be: the same code and one migration more, which adds a column and a table and breaks
 * nothing. For rolling upgrades: processes of the present one go on beside it.
 */
export async function layNextVersion(folder: string): Promise<string> {
  const next = join(folder, 'next');
  await mkdir(next);
  await cp(join(root, 'coordinator'), join(next, 'coordinator'), { recursive: true });
  await cp(join(root, 'package.json'), join(next, 'package.json'));
  for (const name of ['node_modules', 'containers']) await symlink(join(root, name), join(next, name));
  const migrations = join(next, 'coordinator/platform/db/migrations');
  const number = String((await readdir(migrations)).length + 1).padStart(4, '0');
  await writeFile(
    join(migrations, `${number}-next-release.sql`),
    'alter table job add column of_next_release text;\ncreate table of_next_release (id int8 primary key);\n',
  );
  return next;
}
