/** One row per code for linking a chat. Written when an administrator requests one (migration 0023_chat). */
export interface ChatCodesTable {
  code_hash: Buffer;
  service: string;
  created_by: number | null;
  expires_at: Date;
}
