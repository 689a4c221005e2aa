import { sql } from 'kysely';
import type { Address } from 'viem';
import { expect } from 'vitest';
import type { Db } from '../../../../db/core/client';
import { startFakeVmm, type FakeVmm } from '../../../../drivers/vmm/fake';
import { fakeKmsRoot } from '../../../../drivers/vmm/fakeKms';
import {
  startRpcGate,
  startTestChain,
  type RpcGate,
  type TestChain,
  type TestContract,
} from '../../../../testing/chain';
import { insertHost, type TestHost } from '../../../../testing/cvmFixtures';

export const DEVICE = 'd1'.repeat(32);
const IMAGE = 'cd'.repeat(32);

/** A chain with a KMS contract, an RPC that can fail, and a fake host with its KMS. */
export interface GuardedWorld {
  chain: TestChain;
  gate: RpcGate;
  contract: TestContract;
  fake: FakeVmm;
  /** Owns the apps that it deploys. */
  owner: Address;
  close(): Promise<void>;
}

/** @param images of the fake host */
export async function startGuardedWorld(
  options: { stage_ms?: number; images?: string[] } = {},
): Promise<GuardedWorld> {
  const chain = await startTestChain();
  const gate = await startRpcGate(chain);
  const contract = await chain.deployKms('0.5.9');
  await contract.send('addOsImageHash', [`0x${IMAGE}`]);
  const fake = await startFakeVmm(options);
  return {
    chain,
    gate,
    contract,
    fake,
    owner: (await chain.client.getAddresses())[1] as Address,
    async close() {
      await fake.close();
      await gate.close();
      await chain.stop();
    },
  };
}

/** Registers the fake host, whose KMS asks the contract. */
export async function addGuardedHost(db: Db, { contract, fake }: GuardedWorld): Promise<TestHost> {
  const host = await insertHost(db, { url: fake.url, chain_id: 31337, kind: 'dstack_vmm' });
  const kms = {
    url: `${fake.url}/kms`,
    k256_pubkey: fakeKmsRoot.k256_pubkey,
    kms_contract_address: contract.address,
  };
  await db.updateTable('kms').set(kms).where('id', '=', host.kms.id).execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id)
    select ${host.teepod.id}, id from os_images where name = 'dstack-0.6.0'`.execute(db);
  await db.updateTable('nodes').set({ device_id: DEVICE }).where('id', '=', host.teepod.node_id).execute();
  return host;
}

export const composeOf = (image: string) => ({
  docker_compose_file: `services:\n  web:\n    image: ${image}\n`,
});

/** Returns the parts of a 465 reply by name, as the published clients read them. */
export function waitingChange({ status, body }: { status: number; body: unknown }) {
  expect(status, JSON.stringify(body)).toBe(465);
  const { detail } = body as { detail: { details: { field: string; value: unknown }[] } };
  return Object.fromEntries(detail.details.map(({ field, value }) => [field, value])) as Record<
    'compose_hash' | 'commit_token',
    string
  >;
}
