import type { Logger } from 'pino';
import { appendAudit } from '../../db/audit/auditLog';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { lockTeam, memberAddresses } from '../../db/teams/members';
import type { SsoConnectionRow } from '../../db/teams/ssoConnectionsTable';
import { endSsoSessions, lockConnection, lockDomain, markVerified } from '../../db/teams/sso';
import {
  dueDomainProofs,
  noteFound,
  noteMissing,
  retryDomainCheck,
  suspendConnection,
} from '../../db/teams/ssoDomains';
import type { MailTemplates } from '../../domain/notifications/mail';
import { suspensionAt, txtName, txtValue, UNSEEN_MS } from '../../domain/teams/sso';
import { DnsError, type DnsDriver } from '../../drivers/dns';
import type { MailOutbox } from '../notifications/mailOutbox';

const BATCH_SIZE = 20;
const MAX_MAILS = 100;

export interface SsoDomainChecker {
  db: Db;
  dns: Pick<DnsDriver, 'resolveTxt'>;
  outbox: MailOutbox;
  log: Logger;
}

/** Looks up the TXT records of verified domains not checked for a day. Any number of processes may run it. */
export async function recheckSsoDomains(checker: SsoDomainChecker): Promise<void> {
  const rows = await dueDomainProofs(checker.db, BATCH_SIZE);
  await Promise.all(
    rows.map((row) =>
      recheck(checker, row).catch((err: unknown) =>
        checker.log.error(
          { err, sso: row.public_id },
          "couldn't recheck a domain's TXT record; retrying tomorrow",
        ),
      ),
    ),
  );
}

/**
 * A missing record starts the grace period, and suspends the connection when the period ends. A failed lookup
 * proves nothing about the record: it is repeated within the hour and suspends nothing, until the record has
 * not been seen for a month.
 */
async function recheck(checker: SsoDomainChecker, seen: SsoConnectionRow): Promise<void> {
  const shown = await look(checker, seen);
  if (shown === null && Date.now() - (seen.domain_seen_at?.getTime() ?? 0) < UNSEEN_MS)
    return retryDomainCheck(checker.db, seen.id);
  await withTransaction(checker.db, async (trx) => {
    await lockDomain(trx, seen.domain);
    const team = await lockTeam(trx, seen.team_id);
    const row = team && (await lockConnection(trx, team.id));
    // Changed or verified during the lookup, so the result is for an old record.
    if (!row || row.id !== seen.id || row.domain_challenge !== seen.domain_challenge) return;
    if (row.domain_verified_at === null) return;
    const change = shown === true ? await found(trx, row) : await missing(trx, row);
    if (change === null) return;
    checker.log.warn({ sso: row.public_id, domain: row.domain }, change);
    await notifyTeam(checker.outbox, trx, team, row, change);
    await appendAudit(trx, [
      {
        actor_kind: 'system',
        team_id: row.team_id,
        action: `sso.${change}`,
        target_kind: 'sso_connection',
        target_id: row.public_id,
        after: { domain: row.domain },
      },
    ]);
  });
}

/** Whether DNS shows the record; null when the lookup failed. */
async function look({ dns, log }: SsoDomainChecker, row: SsoConnectionRow): Promise<boolean | null> {
  const wanted = txtValue(row.domain_challenge);
  try {
    return (await dns.resolveTxt(txtName(row.domain))).some((text) => text.trim() === wanted);
  } catch (error) {
    if (!(error instanceof DnsError)) throw error;
    log.warn({ sso: row.public_id, reason: error.message }, "couldn't check a domain's TXT record");
    return null;
  }
}

type Change = 'domain_missing' | 'suspended' | 'restored' | 'domain_found';

async function found(trx: Tx, row: SsoConnectionRow): Promise<Change | null> {
  if (row.domain_missing_since === null) {
    await noteFound(trx, row.id);
    return null;
  }
  // If two teams publish records, the one that verified the domain first keeps it.
  if (!(await markVerified(trx, row.id))) return null;
  return row.suspended_at === null ? 'domain_found' : 'restored';
}

async function missing(trx: Tx, row: SsoConnectionRow): Promise<Change | null> {
  if (row.domain_missing_since === null) {
    await noteMissing(trx, row.id);
    return 'domain_missing';
  }
  if (row.suspended_at !== null || suspensionAt(row.domain_missing_since).getTime() > Date.now()) return null;
  await suspendConnection(trx, row.id);
  await endSsoSessions(trx, row.id);
  return 'suspended';
}

const MAILS = {
  domain_missing: 'sso_domain_missing',
  suspended: 'sso_suspended',
  restored: 'sso_restored',
} as const;

/** Notifies owners and admins. A record that came back in time needs no mail. */
async function notifyTeam(
  outbox: MailOutbox,
  trx: Tx,
  team: { id: number; name: string; slug: string },
  row: SsoConnectionRow,
  change: Change,
): Promise<void> {
  if (change === 'domain_found') return;
  const data: MailTemplates['sso_domain_missing'] = {
    team_name: team.name,
    team_slug: team.slug,
    domain: row.domain,
    txt_name: txtName(row.domain),
    txt_value: txtValue(row.domain_challenge),
    suspends_at: suspensionAt(new Date()),
  };
  for (const { email, user_id } of await memberAddresses(trx, team.id, ['owner', 'admin'], MAX_MAILS))
    await outbox.enqueue(trx, { to: email, template: MAILS[change], data, user_id, team_id: team.id });
}
