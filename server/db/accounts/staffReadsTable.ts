/**
 * One row per staff user, CVM and hour in which they read the CVM's logs or code. Deduplicates the audit
 * entries; deleted after two days (migration 0021_people).
 */
export interface StaffReadsTable {
  staff_user_id: number;
  cvm_id: number;
  /** Start of the hour. */
  hour: Date;
}
