import { afterAll, beforeAll, expect, it } from 'vitest';
import { deployAppCall } from '../../../../console/lib/kms/appAuth';
import { contractCall } from '../../../../console/lib/kms/contractCalls';
import type { Provision } from '../../../../generated/api/types.gen';
import { compose, DEVICE, startGovernedApps, type GovernedApps } from '../../../testing/governedApps';

let governed: GovernedApps;
beforeAll(async () => {
  governed = await startGovernedApps();
});
afterAll(() => governed?.stop());

it('estimates a transaction’s cost for its sender', async () => {
  const { server, gate, contract, member, hosts, accounts, owner } = governed;
  const provisioned = await member.call('provisionCvm', {
    body: {
      name: 'estimated',
      compose_file: compose('nginx:alpine'),
      kms: 'BASE',
      teepod_id: hosts[0].teepod.id,
    },
  });
  const { compose_hash } = provisioned.body as Provision;
  const { address } = await contract.deployApp({ compose_hash, device_id: DEVICE, from: owner });
  const estimate = async (to: string, data: string, from?: string, by = member) =>
    by.call('estimateTransactionFee', {
      path: { chain: 'local' },
      body: { to, data, ...(from === undefined ? {} : { from }) },
    });
  const policy = { owner: owner as string, compose_hash, device_id: DEVICE };
  const deploying = (await estimate(contract.address, deployAppCall(policy).data)).body;
  expect(deploying).toMatchObject({ gas_price: expect.stringMatching(/^[1-9]\d*$/) as string, error: null });
  expect(deploying.gas).toBeGreaterThan(100_000);

  const { data } = contractCall('addDevice', 'd7'.repeat(32));
  // Neither an app of the team nor a KMS contract yet.
  expect((await estimate(address, data, owner)).status).toBe(404);
  expect((await member.call('createCvm', { body: { app_id: address, compose_hash } })).status).toBe(200);
  const change = (await estimate(address, data, owner)).body;
  expect(change.gas).toBeGreaterThan(21_000);
  expect((await estimate(address, data, accounts[7])).body).toMatchObject({
    gas: null,
    error: expect.stringContaining('isn’t authorized to do this') as string,
  });
  expect((await estimate(address, data, owner, await server.register())).status).toBe(404);
  gate.mode = 'status_500';
  const silent = await estimate(address, data, owner);
  gate.mode = 'open';
  expect(silent.status).toBe(502);
});
