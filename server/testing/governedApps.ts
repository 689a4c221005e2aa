import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Address } from 'viem';
import { expect } from 'vitest';
import type { CommitCvm, Provision } from '../../generated/api/types.gen';
import { startFakeVmm } from '../drivers/vmm/fake';
import { fakeKmsRoot } from '../drivers/vmm/fakeKms';
import { startRpcGate, startTestChain } from './chain';
import { insertHost } from './cvmFixtures';
import { startTestServer } from './server';

export const DEVICE = 'd1'.repeat(32);
export const OTHER_DEVICE = 'd2'.repeat(32);
export const IMAGE = 'cd'.repeat(32);

export type GovernedApps = Awaited<ReturnType<typeof startGovernedApps>>;

/**
 * Starts a server with two hosts whose KMS is governed by a contract on a local chain. There is no worker: an
 * accepted change stays visible as its queued operation.
 */
export async function startGovernedApps(env: Record<string, string> = {}) {
  const chain = await startTestChain();
  const gate = await startRpcGate(chain);
  const accounts = await chain.client.getAddresses();
  const owner = accounts[1] as Address;
  const contract = await chain.deployKms('0.5.9');
  await contract.send('addOsImageHash', [`0x${IMAGE}`]);
  const server = await startTestServer({
    env: { TEEHOUSE_ROLE: 'web', LOCAL_CHAIN_RPC_URL: gate.url, ...env },
  });
  const fake = await startFakeVmm();
  const { db } = server.services;
  const first = await insertHost(db, { url: fake.url, chain_id: 31337 });
  const second = await insertHost(db, { url: fake.url, chain_id: 31337 });
  await db
    .updateTable('kms')
    .set({
      url: `${fake.url}/kms`,
      k256_pubkey: fakeKmsRoot.k256_pubkey,
      kms_contract_address: contract.address,
    })
    .where('id', '=', first.kms.id)
    .execute();
  await db.updateTable('teepods').set({ kms_id: first.kms.id }).where('id', '=', second.teepod.id).execute();
  for (const [{ teepod }, device_id] of [
    [first, DEVICE],
    [second, OTHER_DEVICE],
  ] as const) {
    await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${teepod.id}, id from os_images where name = 'dstack-0.6.0'`.execute(
      db,
    );
    await db.updateTable('nodes').set({ device_id }).where('id', '=', teepod.node_id).execute();
  }
  const member = await server.register();

  /** Completes operations in progress as if the host had done them. */
  async function settle(vm_uuid: string): Promise<void> {
    await sql`with done as (
      update operations set state = 'succeeded', finished_at = now()
      where cvm_id = (select id from cvms where vm_uuid = ${vm_uuid}) and state in ('queued', 'running') returning payload)
    update cvms set status = 'running', host_vm_id = ${randomUUID()},
      revision_id = coalesce((select (payload ->> 'revision_id')::bigint from done limit 1), revision_id)
    where vm_uuid = ${vm_uuid}`.execute(db);
  }

  /** Deploys an app that runs on the first host, and its contract. */
  async function deploy(name: string) {
    const compose_file = { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' };
    const provisioned = await member.call('provisionCvm', {
      body: { name, compose_file, kms: 'BASE', teepod_id: first.teepod.id },
    });
    expect(provisioned.status, JSON.stringify(provisioned.body)).toBe(200);
    const { compose_hash } = provisioned.body as Provision;
    const { address } = await contract.deployApp({ compose_hash, device_id: DEVICE, from: owner });
    const body = { app_id: address, compose_hash, deployer_address: owner };
    const committed = await member.call('createCvm', { body });
    expect(committed.status, JSON.stringify(committed.body)).toBe(200);
    const vm_uuid = String((committed.body as CommitCvm).vm_uuid);
    await settle(vm_uuid);
    const app = contract.appAt(address);
    const allow = async (value: string, functionName = 'addComposeHash') =>
      (await app.send(functionName, [`0x${value}`], owner)).transactionHash;
    /** Renounces ownership, so that nothing more can be allowed. */
    const renounce = () => app.send('renounceOwnership', [], owner);
    return { path: { cvm_id: vm_uuid }, app: { app_id: address }, vm_uuid, allow, renounce };
  }

  return {
    server,
    gate,
    contract,
    member,
    accounts,
    owner,
    hosts: [first, second] as const,
    deploy,
    settle,
    async stop() {
      await server.stop();
      await fake.close();
      await gate.close();
      await chain.stop();
    },
  };
}

export const compose = (image: string) => ({
  docker_compose_file: `services:\n  web:\n    image: ${image}\n`,
});

/** Returns the parts of a 465 reply by name, as the published clients read them. */
export function waiting({ status, body }: { status: number; body: unknown }) {
  expect(status, JSON.stringify(body)).toBe(465);
  const { detail } = body as {
    detail: {
      error_code: string;
      details: { field: string; value: unknown }[];
    };
  };
  expect(detail.error_code).toBe('ERR-01-005');
  return Object.fromEntries(detail.details.map(({ field, value }) => [field, value])) as Record<
    'compose_hash' | 'commit_token' | 'device_id' | 'api_commit_url',
    string
  > &
    Record<string, unknown>;
}

export const refusal = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { message: string }).message,
];
