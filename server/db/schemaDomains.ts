import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { StoredDiagnosis } from '../domain/domainState';

/** The columns' meaning stands in migration 0017_domains. */
export interface DomainsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  app_id: number;
  cvm_id: number | null;
  domain: string;
  port: number;
  state: Generated<'pending' | 'verified' | 'broken'>;
  proved_at: Date | null;
  verified_at: Date | null;
  broken_since: Date | null;
  diagnosis: ColumnType<StoredDiagnosis | null, string | null | undefined, string | null>;
  failures: Generated<number>;
  unanswered: Generated<number>;
  checked_at: Date | null;
  next_check_at: Generated<Date>;
  lease_owner: string | null;
  lease_until: Date | null;
  created_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface DomainTables {
  domains: DomainsTable;
}

export type DomainRow = Selectable<DomainsTable>;
