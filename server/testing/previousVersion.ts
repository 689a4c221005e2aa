import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../root';

/**
 * The version that installations are upgraded from. With each release, set both fields to it: its commit and its
 * newest migration.
 */
export const PREVIOUS = {
  commit: 'f71f59e282271ddc8b0eefbbe3ad87ce170981a7',
  migration: '0302_recovery_code_secrets',
} as const;

const run = promisify(execFile);

/** Returns whether this copy of the repository has the commit: one without history, such as an archive, doesn't. */
export const hasPrevious = (): Promise<boolean> =>
  run('git', ['cat-file', '-e', `${PREVIOUS.commit}^{commit}`], { cwd: ROOT }).then(
    () => true,
    () => false,
  );

/** Writes the previous version's sources to a separate directory. They run with this version's packages. */
export async function checkOutPrevious(): Promise<{ root: string; remove(): Promise<void> }> {
  const root = await mkdtemp(path.join(tmpdir(), 'teehouse-previous-'));
  const archive = path.join(root, 'sources.tar');
  await run('git', ['archive', '-o', archive, PREVIOUS.commit], { cwd: ROOT });
  await run('tar', ['-xf', archive], { cwd: root });
  await rm(archive);
  await symlink(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'));
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}
