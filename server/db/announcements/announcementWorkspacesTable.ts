/**
 * One row per team an announcement with audience `workspaces` is addressed to. Written by administrators
 * (migration 0022_announcements).
 */
export interface AnnouncementWorkspacesTable {
  announcement_id: number;
  team_id: number;
}
