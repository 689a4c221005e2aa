import type { Updateable } from 'kysely';
import type { Logger } from 'pino';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { appendAudit } from '../../db/audit/auditLog';
import { withTransaction, type Db } from '../../db/core/client';
import type { Json } from '../../db/core/json';
import type { KmsContractRow, KmsContractsTable } from '../../db/kms/kmsContractsTable';
import { addedValues, findIndex } from '../../db/kms/contractIndex';
import type { ContractIndexRow } from '../../db/kms/contractIndexTables';
import { isComplete } from '../../domain/kms/appContractResponse';
import type { ContractEventKind } from '../../domain/kms/contractEvents';
import { judgeContract, type ContractFacts } from '../../domain/kms/kmsContract';
import { ChainError, type ChainDriver } from '../../drivers/chain';
import { eachDue } from '../core/dueRows';

const ANSWER_MS = 20_000;
const AGAIN_MINUTES = 10;
const BATCH_SIZE = 4;
/** Images and machines looked up by name. */
const KNOWN = 200;
/** Values per list, from its events. */
const INDEXED = 300;
/** How long ago the events may have been read to count as all of them. */
const RECENT_MS = 10 * 60_000;
const DEVELOPMENT = 31337;

export interface ContractReader {
  db: Db;
  chain: ChainDriver;
  log: Logger;
}

/** Reads every contract not read for some minutes. */
export const readDueContracts = (worker: ContractReader): Promise<unknown> =>
  eachDue(
    worker.db,
    {
      table: 'kms_contracts',
      looked_at: 'attempted_at',
      minutes: AGAIN_MINUTES,
      limit: BATCH_SIZE,
    },
    (row) => readContract(worker, row),
    (row, err) => worker.log.error({ err, contract: row.label }, "couldn't read a contract"),
  );

/** Reads one contract. When its chain does not respond, the earlier values stay, with their time. */
export async function readContract(
  { db, chain, log }: ContractReader,
  { id, chain_id, address }: Pick<KmsContractRow, 'id' | 'chain_id' | 'address'>,
  signal?: AbortSignal,
): Promise<void> {
  const attempted_at = new Date();
  const timeout = AbortSignal.timeout(ANSWER_MS);
  const known = await knownHashes(db, chain_id, address);
  const read = await chain
    .readKms({ chain_id, address }, known, signal ? AbortSignal.any([signal, timeout]) : timeout)
    .catch((error: unknown) => {
      signal?.throwIfAborted();
      if (error instanceof ChainError) return error;
      if (timeout.aborted)
        return new ChainError('unreachable', `The RPC didn't respond within ${ANSWER_MS / 1000} seconds.`);
      throw error;
    });
  await withTransaction(db, async (trx) => {
    const row = await trx
      .selectFrom('kms_contracts')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return;
    const write = (change: Updateable<KmsContractsTable>) =>
      trx
        .updateTable('kms_contracts')
        .set({ ...change, attempted_at })
        .where('id', '=', id)
        .execute();
    if (read instanceof ChainError) {
      const health = row.health === 'alarm' ? 'alarm' : 'unreachable';
      await write({ health, last_error: cutWhole(read.message, 2000) });
      return;
    }
    const { facts, block_number, block_at } = read;
    if (isOlder(row, block_number)) {
      // Another reading was faster, or another RPC is a few blocks behind. A later reading decides.
      const isCurrent = attempted_at.getTime() - (row.read_at?.getTime() ?? 0) < AGAIN_MINUTES * 60_000;
      const health = row.health === 'alarm' ? 'alarm' : 'unreachable';
      const last_error = `The RPC is behind: it read block ${block_number}, and block ${row.block_number} was read before.`;
      await write(isCurrent ? {} : { health, last_error });
      return;
    }
    const pinned =
      row.kms_id === null
        ? undefined
        : await trx
            .selectFrom('kms')
            .select(['k256_pubkey', 'next_k256_pubkey', 'ca_pubkey'])
            .where('id', '=', row.kms_id)
            .executeTakeFirst();
    const { health, notices } = judgeContract(facts, pinned ?? null);
    const facts_text = JSON.stringify(facts);
    await write({
      health,
      notices,
      last_error: null,
      read_at: new Date(),
      block_number,
      block_at,
      facts: facts_text,
    });
    const changed = row.facts ? changes(row.facts, facts) : null;
    if (!changed) return;
    log.warn({ contract: row.label, ...changed.after }, 'a KMS contract changed');
    await appendAudit(trx, [
      {
        actor_kind: 'system',
        action: 'kms_contract.changed',
        target_kind: 'kms_contract',
        target_id: String(id),
        ...changed,
      },
    ]);
  });
}

/** A development chain may start over. */
const isOlder = (row: Pick<KmsContractRow, 'chain_id' | 'block_number'>, block_number: number) =>
  row.chain_id !== DEVELOPMENT && row.block_number !== null && block_number < row.block_number;

/** Values whose changes administrators must see. */
const WATCHED = [
  'code_present',
  'owner',
  'pending_owner',
  'app_implementation',
  'gateway_app_id',
  'k256_pubkey',
  'ca_pubkey',
] as const satisfies readonly (keyof ContractFacts)[];

function changes(before: ContractFacts, after: ContractFacts) {
  const keys = WATCHED.filter((key) => before[key] !== after[key]);
  if (keys.length === 0) return null;
  const some = (facts: ContractFacts) =>
    Object.fromEntries(keys.map((key) => [key, facts[key]])) as Record<string, Json>;
  return { before: some(before), after: some(after) };
}

/**
 * Returns what to look up: the images and machines known here, and everything the contract's events ever added.
 */
async function knownHashes(db: Db, chain_id: number, address: string) {
  const index = await findIndex(db, chain_id, address);
  const added = async (kind: ContractEventKind) =>
    index ? (await addedValues(db, index.id, kind, INDEXED)).map(({ value }) => value) : [];
  const [images, nodes, osImages, devices, mrs] = await Promise.all([
    db
      .selectFrom('os_images')
      .select('os_image_hash')
      .where('os_image_hash', 'is not', null)
      .orderBy('id', 'desc')
      .limit(KNOWN)
      .execute(),
    db
      .selectFrom('nodes')
      .select('device_id')
      .where('device_id', 'is not', null)
      .orderBy('id')
      .limit(KNOWN)
      .execute(),
    added('OsImageHashAdded'),
    added('KmsDeviceAdded'),
    added('KmsAggregatedMrAdded'),
  ]);
  return {
    os_image_hashes: [...osImages, ...images.flatMap(({ os_image_hash }) => os_image_hash ?? [])],
    device_ids: [...devices, ...nodes.flatMap(({ device_id }) => device_id ?? [])],
    aggregated_mrs: mrs,
    // Beyond the limit, older values aren't looked up.
    complete:
      index !== undefined &&
      isRecent(index) &&
      isComplete(index) &&
      [osImages, devices, mrs].every(({ length }) => length < INDEXED),
  };
}

/** The newest block of an index is that of its last successful reading, which may be long ago. */
const isRecent = ({ last_error, indexed_at }: Pick<ContractIndexRow, 'last_error' | 'indexed_at'>) =>
  last_error === null && indexed_at !== null && Date.now() - indexed_at.getTime() < RECENT_MS;
