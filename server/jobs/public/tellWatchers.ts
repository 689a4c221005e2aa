import type { Logger } from 'pino';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { composeOfRevisions, lockDueWatches, noteTold, type DueWatch } from '../../db/public/appWatches';
import type { Seal } from '../../domain/core/seal';
import { composeDiff } from '../../domain/public/watch';
import { watchToken } from '../../domain/public/watchToken';
import type { MailOutbox } from '../notifications/mailOutbox';

const AT_ONCE = 100;

export interface TellWatchersOptions {
  db: Db;
  outbox: MailOutbox;
  seal: Seal;
  log: Logger;
  /** The server's public origin. */
  public_url: string;
  /** Returns what this server's own verification says about a published app, such as "verified". */
  check: (app_id: string) => Promise<string>;
}

/**
 * Writes a mail to everyone who watches an app that has changed. What it describes is noted in the same transaction, so
 * each change is sent once.
 */
export async function tellWatchers(options: TellWatchersOptions): Promise<void> {
  const checks = new Map<string, string | null>();
  while (await withTransaction(options.db, (trx) => tellSome(trx, options, checks)));
}

/** @returns whether more may be due */
async function tellSome(
  trx: Tx,
  options: TellWatchersOptions,
  checks: Map<string, string | null>,
): Promise<boolean> {
  const due = await lockDueWatches(trx, AT_ONCE);
  const ids = due.flatMap(({ before, after }) => [before, after].flatMap((one) => one?.revision_id ?? []));
  const revisions = await composeOfRevisions(trx, [...new Set(ids)]);
  for (const watch of due) {
    if (watch.after && !checks.has(watch.app_id)) checks.set(watch.app_id, await checked(options, watch));
    await tell(trx, options, watch, { revisions, check: checks.get(watch.app_id) ?? null });
    await noteTold(trx, watch);
  }
  return due.length === AT_ONCE;
}

/** The mail is sent without the result rather than late. */
async function checked({ check, log }: TellWatchersOptions, { app_id }: DueWatch): Promise<string | null> {
  try {
    return await check(app_id);
  } catch (err) {
    log.warn({ err, app_id }, 'a watched app could not be verified');
    return null;
  }
}

interface Known {
  revisions: Awaited<ReturnType<typeof composeOfRevisions>>;
  check: string | null;
}

async function tell(
  trx: Tx,
  { outbox, seal, public_url }: TellWatchersOptions,
  { public_id, email, app_id, app_name, before, after }: DueWatch,
  { revisions, check }: Known,
): Promise<void> {
  const token = watchToken(seal, public_id);
  const unsubscribe_url = `${public_url}/api/v1/explorer/watches/end?token=${encodeURIComponent(token)}`;
  const common = { app_id, app_name, token, unsubscribe_url };
  if (after === null) return outbox.enqueue(trx, { to: email, template: 'app_unpublished', data: common });
  const version = (state: NonNullable<DueWatch['before']>) => ({
    os_image: state.os_image,
    compose_hash: revisions.get(state.revision_id)?.compose_hash ?? '',
  });
  const file = (state: DueWatch['before']) =>
    (state && revisions.get(state.revision_id)?.docker_compose_file) ?? '';
  await outbox.enqueue(trx, {
    to: email,
    template: 'app_changed',
    data: {
      ...common,
      before: before && version(before),
      after: version(after),
      check,
      diff: before ? composeDiff(file(before), file(after)) : [],
    },
  });
}
