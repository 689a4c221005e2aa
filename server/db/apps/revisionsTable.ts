import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';

/** An image as reported by the guest after a boot; `image_id` is empty if it was not reported. */
export interface ResolvedImage {
  name: string;
  image: string;
  image_id: string;
  /** RFC 3339 */
  at: string;
}

/**
 * One row per version of an app's compose file. Written when an app is deployed or updated (migration
 * 0001_foundation).
 */
export interface RevisionsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  app_id: number;
  /** Counts from 1 within the app. */
  number: number;
  /** Exact bytes that are hashed and measured; never re-serialized. */
  app_compose: string;
  compose_hash: string;
  docker_compose_file: string;
  pre_launch_script: string | null;
  allowed_envs: Generated<string[]>;
  os_image: string | null;
  operation_type: string;
  reason: string | null;
  /** Operation that created it. */
  correlation_id: string | null;
  created_by: number | null;
  created_at: Generated<Date>;
  /** When a CVM first ran it; null if none has. */
  live_at: Date | null;
  /** Revision it rolls back to; null for an ordinary update. */
  restores_id: number | null;
  /** Images reported by the guest after its last boot. */
  resolved_images: ColumnType<ResolvedImage[], string | undefined, string>;
  /** The template it came from; null for none (migration 0218_template_versions). */
  template_version_id: number | null;
}

export type RevisionRow = Selectable<RevisionsTable>;
