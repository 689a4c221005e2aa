import type { PublicAppDetail } from '../../../generated/api/types.gen';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { findPublicApp, publicCvms, publicRevisions, type PublicAppRow } from '../../db/public/publicApps';
import { Problem } from '../../domain/core/problem';
import { publicAppDetailOut } from '../../domain/public/publicAppResponse';
import { parseAppId } from '../apps/appId';
import type { Services } from '../types';

interface Published {
  app: PublicAppRow;
  /** Running ones first. */
  cvms: readonly [JoinedCvm, ...JoinedCvm[]];
}

/** @throws NOT_FOUND for an app that isn't published, as for one that doesn't exist */
export async function publishedApp({ db }: Pick<Services, 'db'>, app_id: string): Promise<Published> {
  const bare = parseAppId(app_id);
  const app = bare === null ? undefined : await findPublicApp(db, bare);
  const [first, ...others] = app ? await publicCvms(db, app.id) : [];
  if (!app || !first) throw new Problem('NOT_FOUND', { message: 'No published app has this ID.' });
  return { app, cvms: [first, ...others] };
}

/** Returns what a visitor sees of an app. @throws NOT_FOUND as above */
export async function publicAppDetail(
  services: Pick<Services, 'db' | 'compose'>,
  app_id: string,
): Promise<PublicAppDetail> {
  const { app, cvms } = await publishedApp(services, app_id);
  const [revisions, analysis] = await Promise.all([
    publicRevisions(services.db, app.id),
    // The page still shows the file if it can't be analyzed now.
    services.compose
      .analyze(cvms[0].revision.docker_compose_file, 'explorer')
      .catch(() => ({ services: [] })),
  ]);
  return publicAppDetailOut(app, cvms, analysis.services, revisions);
}
