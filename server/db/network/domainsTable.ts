import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { StoredDiagnosis } from '../../domain/network/domainState';

/**
 * One row per custom domain of an app. Written by its members; DNS state by the worker that checks it
 * (migration 0017_domains).
 */
export interface DomainsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  app_id: number;
  /** The one CVM it routes to; null: any instance the gateway chooses. */
  cvm_id: number | null;
  /** Lowercase ASCII (RFC 5890 A-labels), no trailing dot; a wildcard starts with `*`. */
  domain: string;
  port: number;
  state: Generated<'pending' | 'verified' | 'broken'>;
  /** Since when DNS has named this app, which proves the domain is the team's; null until then. */
  proved_at: Date | null;
  verified_at: Date | null;
  broken_since: Date | null;
  /** Last diagnosis, as displayed. */
  diagnosis: ColumnType<StoredDiagnosis | null, string | null | undefined, string | null>;
  /** Consecutive checks that found a problem. */
  failures: Generated<number>;
  /** Checks among `failures` in which DNS did not answer. */
  unanswered: Generated<number>;
  checked_at: Date | null;
  next_check_at: Generated<Date>;
  lease_owner: string | null;
  lease_until: Date | null;
  created_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type DomainRow = Selectable<DomainsTable>;
