import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/**
 * One row per GPU of a teepod. Written when the host reports it or an administrator adds it (migration
 * 0020_gpus).
 */
export interface GpusTable {
  id: GeneratedAlways<number>;
  teepod_id: number;
  /** PCI address, as reported by the host. */
  slot: string;
  product_id: string | null;
  description: Generated<string>;
  notes: Generated<string>;
  /** Reserved for this team even while unused; null for none. */
  reserved_team_id: number | null;
  /** Reservation of the CVM or provision that holds it; null while free. */
  reservation_id: number | null;
  /** Why it is out of service; null while it works. */
  fault: string | null;
  /** Included in the last report of the host. */
  reported: Generated<boolean>;
  /** Attached to a VM that Teehouse does not manage. */
  used_elsewhere: Generated<boolean>;
  last_seen_at: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type GpuRow = Selectable<GpusTable>;
