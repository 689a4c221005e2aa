import type { Generated } from 'kysely';

/**
 * One row per former slug of a team. It keeps leading to the team, and no other team can take it
 * (migration 0003_people).
 */
export interface TeamFormerSlugsTable {
  slug: string;
  team_id: number;
  created_at: Generated<Date>;
}
