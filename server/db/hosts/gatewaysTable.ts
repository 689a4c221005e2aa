import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/** One row per gateway whose status can be read. Written by administrators (migration 0098_gateways). */
export interface GatewaysTable {
  id: GeneratedAlways<number>;
  /** Base domain of its addresses, as reported by teepods; may include `:port`. */
  base_domain: string;
  /** Address of its admin API; null while unknown. */
  url: string | null;
  /** Token of its admin API. */
  sealed_credential: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type GatewayRow = Selectable<GatewaysTable>;
