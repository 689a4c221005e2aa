/**
 * One row per team allowed on a teepod that is not open to all teams. Written by administrators (migration
 * 0001_foundation).
 */
export interface TeepodTeamsTable {
  teepod_id: number;
  team_id: number;
}
