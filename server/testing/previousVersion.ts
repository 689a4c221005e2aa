import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../root';

/**
 * The version that installations run while they are upgraded to this one. With a release, set both to it: its commit, and the
 * newest migration it has.
 */
export const PREVIOUS = {
  commit: 'f71f59e282271ddc8b0eefbbe3ad87ce170981a7',
  migration: '0302_recovery_code_secrets',
} as const;

const run = promisify(execFile);

/** Whether this copy of the repository has the commit: a copy without history, such as an archive, has none. */
export const hasPrevious = (): Promise<boolean> =>
  run('git', ['cat-file', '-e', `${PREVIOUS.commit}^{commit}`], { cwd: ROOT }).then(
    () => true,
    () => false,
  );

/** Writes the sources of the previous version to a directory of their own. They run with the packages of this version. */
export async function checkOutPrevious(): Promise<{ root: string; remove(): Promise<void> }> {
  const root = await mkdtemp(path.join(tmpdir(), 'teehouse-previous-'));
  const archive = path.join(root, 'sources.tar');
  await run('git', ['archive', '-o', archive, PREVIOUS.commit], { cwd: ROOT });
  await run('tar', ['-xf', archive], { cwd: root });
  await rm(archive);
  await symlink(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'));
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}
