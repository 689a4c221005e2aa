import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let owner: TestClient;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  owner = await server.register();
});
afterAll(() => server.stop());

const cvm_id = '0b8c1f0e-7d0c-4a51-9c57-2b9a9d1c0f11';
const app_id = 'ab'.repeat(20);
const revision_id = 'rev_1';

/** The changes for which a team can give a reason, which its history shows to all members. */
const CHANGES = [
  ['patchCvm', { cvm_id }, { vcpu: 2 }],
  ['updateCvmEnvs', { cvm_id }, { encrypted_env: '00' }],
  ['redeployCvmRevision', { cvm_id, revision_id }, {}],
  ['redeployAppRevision', { app_id, revision_id }, {}],
  ['createRollout', { app_id }, { public_logs: true }],
] as const;

it.each(CHANGES)(
  '%s refuses a reason that is shown in another order than written',
  async (id, path, body) => {
    const change = async (reason: string) => {
      const reply = await owner.call(id, { path, body: { ...body, reason } });
      const { details } = reply.body as unknown as { details?: { field: string }[] };
      return [reply.status, details?.[0]?.field];
    };
    expect(await change('Fix \u202egnp.exe')).toEqual([422, 'reason']);
    expect(await change('Fix \u0007')).toEqual([422, 'reason']);
    // Arabic names have marks of their own.
    expect(await change('Fix for \u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f')).toEqual([
      404,
      undefined,
    ]);
  },
);
