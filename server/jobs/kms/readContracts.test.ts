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
