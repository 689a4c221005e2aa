import type { Generated, GeneratedAlways } from 'kysely';

/**
 * One row per change to a GPU. Written by triggers, because most changes follow from others; deleted after a
 * year (migration 0020_gpus).
 */
export interface GpuEventsTable {
  id: GeneratedAlways<number>;
  gpu_id: number;
  kind:
    | 'added'
    | 'found'
    | 'lost'
    | 'reserved'
    | 'released'
    | 'held'
    | 'attached'
    | 'freed'
    | 'faulty'
    | 'repaired';
  team_id: number | null;
  cvm_id: number | null;
  note: string | null;
  /** User whose request caused it; null otherwise. */
  user_id: number | null;
  at: Generated<Date>;
}
