import { kmsGroups, type KmsGroup } from '../../domain/kms/kmsContractResponse';
import type { ContractFacts } from '../../domain/kms/kmsContract';
import type { Db } from '../core/client';
import type { KmsRow } from './kmsTable';

/** Far more services than a server has. */
const MAX_KMS = 1000;

export interface LabelledGroup extends KmsGroup<KmsRow> {
  /** Administrators' name for the contract; null if they haven't added it. */
  label: string | null;
}

/** Returns every contract, oldest first, including those whose replicas are all retired. */
export async function listKmsGroups(db: Db): Promise<LabelledGroup[]> {
  const [rows, contracts] = await Promise.all([
    db.selectFrom('kms').selectAll().orderBy('id').limit(MAX_KMS).execute(),
    db.selectFrom('kms_contracts').select(['chain_id', 'address', 'label']).limit(MAX_KMS).execute(),
  ]);
  return kmsGroups(rows).map((group) => ({
    ...group,
    label:
      contracts.find(
        ({ chain_id, address }) =>
          chain_id === group.first.chain_id && address === group.first.kms_contract_address?.toLowerCase(),
      )?.label ?? null,
  }));
}

/** Returns a KMS's contract as last read from its chain; null if it has none, or it wasn't read. */
export async function readContractOf(
  db: Db,
  { chain_id, kms_contract_address }: Pick<KmsRow, 'chain_id' | 'kms_contract_address'>,
): Promise<ContractFacts | null> {
  if (chain_id === null || kms_contract_address === null) return null;
  const row = await db
    .selectFrom('kms_contracts')
    .select('facts')
    .where('chain_id', '=', chain_id)
    .where('address', '=', kms_contract_address.toLowerCase())
    .executeTakeFirst();
  return row?.facts ?? null;
}

/** Returns the contract that a service belongs to. @param id row ID of the service */
export async function kmsGroupOf(db: Db, id: number): Promise<LabelledGroup> {
  const found = (await listKmsGroups(db)).find(({ ids }) => ids.has(id));
  if (!found) throw new Error(`KMS ${id} is in no contract`);
  return found;
}
