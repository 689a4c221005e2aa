import type { VersionChange } from '../../../console/lib/public/site';
import { visibleText } from '../../../console/lib/public/visibleText';
import { composeOfRevisions } from '../../db/public/appWatches';
import { findPublicApp, publishedVersions, type PublishedVersion } from '../../db/public/publicApps';
import type { Db } from '../../db/core/client';
import { changedLines, ON_PAGE } from '../../domain/public/watch';
import { trustOf } from '../../domain/public/publicAppResponse';
import { parseAppId } from '../apps/appId';

const REMEMBERED = 100;

/** Diffs cached in this process, by the compose hashes of both files: the largest take a while to compute. */
const known = new Map<string, ReturnType<typeof changedLines>>();

/** Returns the changes in a published app's version; null if it or its predecessor was never published. */
export async function publicChange(db: Db, app_id: string, number: number): Promise<VersionChange | null> {
  const bare = parseAppId(app_id);
  const app = bare === null ? undefined : await findPublicApp(db, bare);
  const [after, before] = app ? await publishedVersions(db, app.id, number) : [];
  if (!app || !after || !before) return null;
  return {
    app_id: app.app_id,
    app_name: visibleText(app.name),
    trust: trustOf(app.is_simulated),
    before: versionOut(before),
    after: versionOut(after),
    ...(await linesOf(db, before, after)),
  };
}

const versionOut = ({ number, compose_hash, os_image, created_at }: PublishedVersion) => ({
  number,
  compose_hash,
  os_image,
  created_at: created_at.toISOString(),
});

async function linesOf(db: Db, before: PublishedVersion, after: PublishedVersion) {
  const key = `${before.compose_hash} ${after.compose_hash}`;
  const found = known.get(key);
  if (found) {
    known.delete(key);
    known.set(key, found);
    return found;
  }
  const files = await composeOfRevisions(db, [before.id, after.id]);
  const file = ({ id }: PublishedVersion) => files.get(id)?.docker_compose_file ?? '';
  const { lines, left } = changedLines(file(before), file(after), ON_PAGE);
  const shown = { left, lines: lines.map(({ kind, text }) => ({ kind, text: visibleText(text) })) };
  known.set(key, shown);
  if (known.size > REMEMBERED) known.delete(known.keys().next().value ?? '');
  return shown;
}
