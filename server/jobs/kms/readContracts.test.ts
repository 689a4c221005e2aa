import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ContractFacts } from '../../domain/kms/kmsContract';
import type { ChainDriver } from '../../drivers/chain';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { readContract } from './readContracts';

/** Readings of a KMS contract, as the chain returns them. */
const FACTS: ContractFacts = {
  code_present: true,
  owner: `0x${'1'.repeat(40)}`,
  pending_owner: null,
  app_implementation: `0x${'2'.repeat(40)}`,
  gateway_app_id: 'any',
  k256_pubkey: null,
  ca_pubkey: null,
  os_images: [],
  devices: [],
  aggregated_mrs: [],
  app_count: 0,
  complete: true,
};
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

let contracts = 0;
async function addContract(chain_id = 1) {
  contracts += 1;
  const address = `0x${contracts.toString(16).padStart(40, '0')}`;
  return database.db
    .insertInto('kms_contracts')
    .values({ chain_id, address, label: `contract ${contracts}` })
    .returning(['id', 'chain_id', 'address'])
    .executeTakeFirstOrThrow();
}

/** @returns the question's `complete` */
async function read(
  contract: Awaited<ReturnType<typeof addContract>>,
  block_number: number,
  owner = FACTS.owner,
): Promise<boolean | undefined> {
  let complete: boolean | undefined;
  const readKms: ChainDriver['readKms'] = async (_, known) => {
    complete = known.complete;
    return { facts: { ...FACTS, owner }, block_number, block_at: new Date() };
  };
  const worker = { db: database.db, chain: { readKms } as ChainDriver, log: pino({ level: 'silent' }) };
  await readContract(worker, contract);
  return complete;
}
const rowOf = ({ id }: { id: number }) =>
  database.db.selectFrom('kms_contracts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const age = ({ id }: { id: number }) =>
  database.db
    .updateTable('kms_contracts')
    .set({ read_at: new Date(Date.now() - 3_600_000) })
    .where('id', '=', id)
    .execute();

it('keeps a newer reading when an older block is read later', async () => {
  const contract = await addContract();
  const other = `0x${'3'.repeat(40)}`;
  await read(contract, 10);
  await read(contract, 9, other);
  expect(await rowOf(contract)).toMatchObject({
    block_number: 10,
    facts: { owner: FACTS.owner },
    health: 'ok',
    last_error: null,
  });
  await age(contract);
  await read(contract, 9, other);
  expect(await rowOf(contract), 'an hour later').toMatchObject({
    block_number: 10,
    facts: { owner: FACTS.owner },
    health: 'unreachable',
    last_error: 'The RPC is behind: it read block 9, and block 10 was read before.',
  });
  const changed = database.db
    .selectFrom('audit_log')
    .select('id')
    .where('action', '=', 'kms_contract.changed');
  expect(await changed.execute()).toEqual([]);
  await read(contract, 11, other);
  expect(await rowOf(contract)).toMatchObject({ block_number: 11, facts: { owner: other }, health: 'ok' });
  expect(await changed.execute()).toHaveLength(1);
  const local = await addContract(31337);
  await read(local, 10);
  await read(local, 9, other);
  expect(await rowOf(local), 'a development chain').toMatchObject({ block_number: 9 });
});

it('has complete lists only while all events were read lately, and all their values fit', async () => {
  const { db } = database;
  const contract = await addContract();
  const { chain_id, address } = contract;
  const { id } = await db
    .insertInto('contract_indexes')
    .values({
      chain_id,
      address,
      start_block: 0,
      start_exact: true,
      indexed_block: 500,
      latest_block: 500,
      indexed_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const add = (from: number, to: number) =>
    db
      .insertInto('contract_events')
      .values(
        Array.from({ length: to - from }, (_, i) => ({
          contract_id: id,
          kind: 'OsImageHashAdded' as const,
          value: `0x${(from + i).toString(16).padStart(64, '0')}`,
          sender: `0x${'5'.repeat(40)}`,
          block_hash: `0x${'6'.repeat(64)}`,
          tx_hash: `0x${'4'.repeat(64)}`,
          block_number: from + i,
          log_index: 0,
          at: new Date(),
        })),
      )
      .execute();
  const indexed = (change: { last_error?: string | null; indexed_at?: Date }) =>
    db.updateTable('contract_indexes').set(change).where('id', '=', id).execute();
  await add(0, 299);
  expect(await read(contract, 501)).toBe(true);
  await indexed({ last_error: 'The RPC responded with status 500.' });
  expect(await read(contract, 501)).toBe(false);
  await indexed({ last_error: null, indexed_at: new Date(Date.now() - 3_600_000) });
  expect(await read(contract, 501)).toBe(false);
  await indexed({ indexed_at: new Date() });
  expect(await read(contract, 501)).toBe(true);
  await add(299, 301);
  expect(await read(contract, 501)).toBe(false);
});
