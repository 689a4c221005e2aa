import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/**
 * One row per guest OS image. Written when a host reports it, updated by administrators (migration
 * 0001_foundation).
 */
export interface OsImagesTable {
  id: GeneratedAlways<number>;
  name: string;
  slug: string;
  version: string;
  /** Null while unknown. */
  os_image_hash: string | null;
  /** Null while the hash is unknown, and in rows written before it was recorded. */
  os_image_hash_source: Generated<'host' | 'evidence' | 'administrator' | null>;
  /** Development image. */
  is_dev: Generated<boolean>;
  requires_gpu: Generated<boolean>;
  created_at: Generated<Date>;
  state: Generated<'active' | 'recommended' | 'retired'>;
  updated_at: Generated<Date>;
}

export type OsImageRow = Selectable<OsImagesTable>;
