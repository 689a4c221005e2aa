import type { Generated } from 'kysely';

/** Tables of what platform staff do among people; the columns' meaning stands in migration 0021_people. */

export interface ViewAsTable {
  session_id: number;
  user_id: number;
  staff_user_id: number;
  reason: string;
  created_at: Generated<Date>;
  expires_at: Date;
}

export interface StaffReadsTable {
  staff_user_id: number;
  cvm_id: number;
  hour: Date;
}

export interface AuditChecksTable {
  chain: number;
  checked_at: Generated<Date>;
  entries: number;
  broken_seq: number | null;
  broken: string | null;
}

export interface StaffTables {
  view_as: ViewAsTable;
  staff_reads: StaffReadsTable;
  audit_checks: AuditChecksTable;
}
