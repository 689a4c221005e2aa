import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { isDatabaseUnavailable } from '../../db/core/unavailable';
import {
  dueDigests,
  noteMailed,
  setDue,
  takeDigest,
  type Digest,
  type DigestItem,
} from '../../db/notifications/notificationMail';
import { isUrgent } from '../../domain/billing/paymentNotice';
import type { NotificationItem } from '../../domain/notifications/mail/types';
import { isOfSilentHost, MAX_PER_MAIL, type NotificationKind } from '../../domain/notifications/notify';
import { quietUntil } from '../../domain/notifications/notifyQuiet';
import { unsubscribeToken } from '../../domain/notifications/notifyUnsubscribe';
import type { Seal } from '../../domain/core/seal';
import type { MailOutbox } from './mailOutbox';

const BATCH_SIZE = 100;

export interface NotifyMailOptions {
  db: Db;
  outbox: MailOutbox;
  seal: Seal;
  /** The server's public origin. */
  public_url: string;
  now?: () => Date;
}

/**
 * Writes due mail: one per user and kind, covering everything collected. The rows are marked in the same
 * transaction, so each email is written once; the outbox sends it. One that can't be written doesn't keep others from
 * theirs. @throws the first failure, at the end
 */
export async function mailNotifications({
  db,
  outbox,
  seal,
  public_url,
  now = () => new Date(),
}: NotifyMailOptions): Promise<void> {
  const at = now();
  const failures: unknown[] = [];
  for (const digest of await dueDigests(db, at, BATCH_SIZE))
    try {
      await withTransaction(db, (trx) => write(trx, digest, { outbox, seal, public_url, at }));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}

async function write(
  trx: Tx,
  digest: Digest,
  { outbox, seal, public_url, at }: { outbox: MailOutbox; seal: Seal; public_url: string; at: Date },
): Promise<void> {
  const taken = await takeDigest(trx, digest, at);
  if (!taken || taken.items.length === 0) return;
  const { user, items } = taken;
  const ids = items.map(({ id }) => id);
  const until = user.quiet && quietUntil(at, user.time_zone, user.quiet);
  // All at the same moment, so that they become one email.
  if (until) return setDue(trx, ids, until);
  await outbox.enqueue(trx, {
    to: user.email,
    template: 'notification_digest',
    data: {
      kind: digest.kind,
      items: items.slice(0, MAX_PER_MAIL).map((item) => itemOf(item, digest.kind)),
      more: Math.max(0, items.length - MAX_PER_MAIL),
      unsubscribe_url: `${public_url}/api/v1/notifications/unsubscribe?token=${unsubscribeToken(seal, user.public_id, digest.kind)}`,
    },
    user_id: digest.user_id,
  });
  await noteMailed(trx, ids, at);
}

const itemOf = (
  {
    subject,
    severity,
    title,
    message,
    team_name,
    team_slug,
    vm_uuid,
    updated_at,
    count,
    resolved_at,
  }: DigestItem,
  kind: NotificationKind,
): NotificationItem => ({
  title,
  message,
  team_name,
  team_slug,
  vm_uuid,
  at: updated_at,
  count,
  resolved_at,
  ...(isUrgent(kind, { severity, subject }) ? { urgent: true } : {}),
  ...(kind === 'host_trouble' && isOfSilentHost(subject) ? { silent_host: subject } : {}),
});
