import type { Generated, GeneratedAlways } from 'kysely';

/** One row per deployed version of a template (migration 0218_template_versions). */
export interface TemplateVersionsTable {
  id: GeneratedAlways<number>;
  /** Null for a template of the server. */
  team_id: number | null;
  /** A folder's name, or the public ID of a team's template. */
  template_id: string;
  version: string;
  name: string;
  /** Null if the server no longer had the file of this version. */
  compose_file: string | null;
  /** SHA-256 of the file, hex. */
  compose_file_hash: string | null;
  created_at: Generated<Date>;
  /** Change note, for a team's template. */
  change: string | null;
}

/** One row per app and newer version notified to the team (migration 0218_template_versions). */
export interface TemplateNoticesTable {
  app_id: number;
  template_id: string;
  version: string;
  told_at: Generated<Date>;
  ended_at: Date | null;
}
