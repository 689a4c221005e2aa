import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startHostedTeam, type HostedTeam } from '../../testing/hostedTeam';
import { reconcileTeepod } from './reconcile';

/** The error of a VM that got no keys after its host restarted, as dstack's guests report it. */
const BOOT_ERROR =
  'failed to get app keys\n\nCaused by:\n    0: App not allowed\n    1: Boot denied: Device not allowed';
let team: HostedTeam;

beforeAll(async () => void (team = await startHostedTeam('keys')));
afterEach(() => team.restoreHost());
afterAll(() => team.close());

async function reportBootError(boot_error = BOOT_ERROR): Promise<string[]> {
  const { services } = team.server;
  const { cvm } = await team.running();
  const vm = await services.vmm.get(team.host.teepod).getInfo(cvm.host_vm_id ?? '');
  const info = { ...vm, boot_progress: 'booting', boot_error };
  const answers = {
    Status: { vms: [{ ...info, configuration: null }], port_mapping_enabled: false, total: 1 },
    GetInfo: { found: true, info },
  };
  for (const [method, body] of Object.entries(answers))
    team.fake.on(`/prpc/${method}`, (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  const teepod = await services.db
    .selectFrom('teepods')
    .selectAll()
    .where('id', '=', team.host.teepod.id)
    .executeTakeFirstOrThrow();
  await reconcileTeepod(services, services.jobs, teepod);
  const now = await team.now(cvm);
  expect(now.status).toBe('error');
  return now.status_reason_keys.map(({ id }) => id);
}

it('keeps the advice about the guest when no contract decides', async () => {
  expect(await reportBootError()).toEqual(['lost_boot_error', 'advice_start']);
});

it('names the device that the contract refused', async () => {
  await team.server.services.db
    .updateTable('kms')
    .set({ type: 'base', chain_id: 31337, kms_contract_address: `0x${'1'.repeat(40)}` })
    .where('id', '=', team.host.kms.id)
    .execute();
  expect(await reportBootError()).toEqual(['keys_refused_device', 'advice_allow_device']);
});

it('says that nothing was decided when the chain or the KMS did not answer', async () => {
  expect(
    await reportBootError("the KMS contract 0x5f on chain 1 can't be read, so the app gets no keys"),
  ).toEqual(['no_keys', 'advice_keys']);
});

it.each(['', 'x'])(
  'records a boot error that is cut in the middle of an emoji, after “%s”',
  async (first) => {
    expect(await reportBootError(`${first}${'🚫'.repeat(3000)}`)).toContain('lost_boot_error');
  },
);
