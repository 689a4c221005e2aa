/**
 * One row per periodic task of installation scope; see jobs/core/periodic.ts. Written by the workers
 * (migration 0029_periodic_leases).
 */
export interface PeriodicLeasesTable {
  name: string;
  lease_owner: string | null;
  lease_until: Date | null;
}
