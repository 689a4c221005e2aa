import { withTransaction, type Db, type Tx } from '../../db/core/client';
import {
  appsBehind,
  endTemplateNotices,
  noteTemplateNotice,
  storedVersions,
  type OutdatedVersion,
} from '../../db/catalog/templateNotices';
import {
  openNotices,
  recipientsOf,
  resolveNotices,
  type Recipient,
} from '../../db/notifications/notifications';
import { isNewerVersion } from '../../domain/catalog/newerTemplate';
import type { Templates } from '../../db/catalog/offeredTemplates';

const BATCH = 200;
/** Notices per run; the rest wait for the next one. */
const MAX_APPS = 2_000;

const subjectOf = ({ app_id }: { app_id: string }) => `template:${app_id}`;

/**
 * Notifies teams, once per app and version, when an app's template has a newer version. The notice ends once
 * the app is updated.
 */
export async function announceTemplates(
  { db, templates }: { db: Db; templates: Templates },
  now: () => Date = () => new Date(),
): Promise<void> {
  const outdated = await outdatedVersions(db, templates);
  await inBatches(() => withTransaction(db, (trx) => end(trx, outdated, now())));
  await inBatches(() => withTransaction(db, (trx) => open(trx, outdated, now())));
}

/** Repeats `work` until it handles less than a full batch. */
async function inBatches(work: () => Promise<number>): Promise<void> {
  for (let done = 0; done < MAX_APPS; done += BATCH) if ((await work()) < BATCH) return;
}

/** Limited to the server's own templates. */
async function outdatedVersions(db: Db, templates: Templates): Promise<OutdatedVersion[]> {
  const stored = await storedVersions(db);
  // Reading templates takes time, so servers without apps from templates skip it.
  if (stored.length === 0) return [];
  const byId = new Map((await templates.all()).map((template) => [template.id, template]));
  return stored.flatMap(({ id, template_id, version, compose_file_hash }) => {
    const offered = byId.get(template_id);
    if (!offered || !isNewerVersion(offered.version, version)) return [];
    // Without a new Compose file there is nothing to update.
    if (offered.compose_file_hash === compose_file_hash) return [];
    const { name, version: newer, compose_file_hash: newer_hash } = offered;
    return [{ id, template_id, name, newer, newer_hash }];
  });
}

async function end(trx: Tx, outdated: readonly OutdatedVersion[], at: Date): Promise<number> {
  const ended = await endTemplateNotices(trx, outdated, BATCH);
  const over = ended.map((app) => ({
    kind: 'template_version' as const,
    subject: subjectOf(app),
    message: null,
    team_id: app.team_id,
  }));
  await resolveNotices(trx, over, at);
  return ended.length;
}

async function open(trx: Tx, outdated: readonly OutdatedVersion[], at: Date): Promise<number> {
  const behind = await appsBehind(trx, outdated, BATCH);
  const known = new Map<number, Recipient[]>();
  for (const app of behind) {
    const { team_id, cvm_id, name, template_name, version, newer } = app;
    if (!(await noteTemplateNotice(trx, app))) continue;
    const recipients = known.get(team_id) ?? (await recipientsOf(trx, team_id, 'template_version'));
    known.set(team_id, recipients);
    const notice = {
      state: 'open',
      kind: 'template_version',
      subject: subjectOf(app),
      severity: 'info',
      title: `${template_name} ${newer} is available for ${name}`,
      message: `The app is based on version ${version} of the template. See what changed and update on the app’s page.`,
    } as const;
    await openNotices(trx, notice, { team_id, cvm_id, at }, recipients);
  }
  return behind.length;
}
