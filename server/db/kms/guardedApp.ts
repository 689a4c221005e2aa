import { sql } from 'kysely';
import type { Db } from '../core/client';

/** The inputs for asking the contract that guards an app's keys about one boot. */
export interface GuardedApp {
  app_id: string;
  chain_id: number;
  /** Address of the KMS contract; lowercase. */
  address: string;
  /** Device of the host's machine. */
  device_id: string | null;
  os_image_hash: string | null;
}

/**
 * Returns an app's contract with the host and OS image of its boot; undefined if no contract guards its keys.
 */
export async function guardedApp(
  db: Db,
  boot: { app_id: number; os_image: string; teepod_id: number },
): Promise<GuardedApp | undefined> {
  const { rows } = await sql<GuardedApp>`
    select a.app_id, k.chain_id, lower(k.kms_contract_address) as address, n.device_id, i.os_image_hash
    from apps a join kms k on k.id = a.kms_id
    join teepods t on t.id = ${boot.teepod_id} join nodes n on n.id = t.node_id
    left join os_images i on i.name = ${boot.os_image}
    where a.id = ${boot.app_id} and k.chain_id is not null and k.kms_contract_address is not null`.execute(
    db,
  );
  return rows[0];
}
