import { sql } from 'kysely';
import type { Db } from '../core/client';

/** What the contract that guards an app's keys is asked about one boot. */
export interface GuardedApp {
  app_id: string;
  chain_id: number;
  /** Of the KMS contract; lowercase. */
  address: string;
  /** Of the host's machine. */
  device_id: string | null;
  os_image_hash: string | null;
}

/** Returns an app's contract, and the host and OS image it is to boot with; undefined if no contract guards its keys. */
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
