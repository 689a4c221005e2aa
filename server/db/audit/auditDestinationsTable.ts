import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/**
 * One row per log system that receives the audit log. Written by administrators; delivery state by workers
 * (migration 0287_audit_destinations).
 */
export interface AuditDestinationsTable {
  id: GeneratedAlways<number>;
  name: string;
  kind: 'syslog_tls' | 'syslog_tcp' | 'webhook';
  /** A URL for a webhook, host:port for syslog. */
  address: string;
  /** Signs the requests of a webhook; null for syslog. */
  sealed_secret: string | null;
  /** PEM; null for the system's trusted authorities. */
  ca_certificate: string | null;
  /** PEM, presented to a syslog server; null for none. */
  client_certificate: string | null;
  /** Its private key; null without one (migration 0299_audit_client_certificates). */
  sealed_client_key: string | null;
  state: Generated<'active' | 'paused'>;
  /** Every entry up to this ID was delivered or never committed. */
  delivered_id: number;
  delivered_at: Date | null;
  /** Failed attempts since the last success. */
  failures: Generated<number>;
  failing_since: Date | null;
  next_attempt_at: Date | null;
  last_error: string | null;
  /** Worker that delivers: one at a time, to keep the order. */
  lease_owner: string | null;
  lease_until: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type AuditDestinationRow = Selectable<AuditDestinationsTable>;
