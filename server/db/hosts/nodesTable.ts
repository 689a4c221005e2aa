import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/**
 * One row per physical machine. Written by administrators, or at startup for the local teepod (migration
 * 0001_foundation).
 */
export interface NodesTable {
  id: GeneratedAlways<number>;
  name: string;
  region: string | null;
  state: Generated<'online' | 'maintenance' | 'offline'>;
  /** Platform family (Intel FMSPC); null while unknown. */
  fmspc: string | null;
  device_id: string | null;
  ppid: string | null;
  notes: Generated<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type NodeRow = Selectable<NodesTable>;
