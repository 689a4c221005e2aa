import { problemCodes } from '../../../generated/api/permissions.gen';
import type { PublicAppDetail } from '../../../generated/api/types.gen';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import {
  findPublicApp,
  publicCvms,
  publicOwnerChanges,
  publicRevisions,
  type PublicAppRow,
} from '../../db/public/publicApps';
import { composeFacts, loadComposeFacts, type ComposeRevision } from '../../domain/apps/composeFacts';
import { addressGroup } from '../../domain/core/address';
import { Problem } from '../../domain/core/problem';
import { publicAppDetailOut } from '../../domain/public/publicAppResponse';
import { parseAppId } from '../apps/appId';
import type { Services } from '../types';

interface Published {
  app: PublicAppRow;
  /** Running CVMs first. */
  cvms: readonly [JoinedCvm, ...JoinedCvm[]];
}

/** @throws NOT_FOUND for an unpublished app, as for a nonexistent one */
export async function publishedApp({ db }: Pick<Services, 'db'>, app_id: string): Promise<Published> {
  const bare = parseAppId(app_id);
  const app = bare === null ? undefined : await findPublicApp(db, bare);
  const [first, ...others] = app ? await publicCvms(db, app.id) : [];
  if (!app || !first) throw new Problem('NOT_FOUND', { message: 'No published app has this ID.' });
  return { app, cvms: [first, ...others] };
}

/** Returns an app as seen by a visitor at this IP address. @throws NOT_FOUND as above */
export async function publicAppDetail(
  services: Pick<Services, 'db' | 'compose'>,
  app_id: string,
  address: string,
): Promise<PublicAppDetail> {
  const { app, cvms } = await publishedApp(services, app_id);
  const [revisions, owners, listed] = await Promise.all([
    publicRevisions(services.db, app.id),
    publicOwnerChanges(services.db, app.id),
    servicesOf(services.compose, cvms[0].revision, address),
  ]);
  return publicAppDetailOut(app, cvms, listed, revisions, owners);
}

/** Returns null if the visitor has too many analyses in progress: the page then shows only the file itself. */
async function servicesOf(compose: Services['compose'], revision: ComposeRevision, address: string) {
  try {
    await loadComposeFacts([revision], (text) => compose.analyze(text, `explorer:${addressGroup(address)}`));
  } catch (error) {
    if (error instanceof Problem && error.code === problemCodes.RATE_LIMITED) return null;
    throw error;
  }
  return composeFacts(revision).reach;
}
