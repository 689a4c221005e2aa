import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminGpu } from '../../../../generated/api/types.gen';
import { readGpus } from '../../../jobs/hosts/testing/everyHost';
import { runningCvm } from '../../../testing/hostedCvm';
import { eventually } from '../../../testing/server';
import { startFleet, type Fleet } from '../testing/fleet';

const SLOTS = ['0000:10:00.0', '0000:11:00.0'];
let fleet: Fleet;
beforeAll(async () => {
  const gpus = SLOTS.map((slot) => ({ slot, product_id: '10de:2335', description: 'NVIDIA H200' }));
  fleet = await startFleet({}, [gpus]);
  await readGpus(fleet.server.services);
});
afterAll(() => fleet?.close());

it('gives a CVM all GPUs of its host until one of them is detached, then only its own', async () => {
  const { db, vmm } = fleet.server.services;
  const { host } = fleet.hosts[0]!;
  const { cvm } = await runningCvm(fleet.server.services, { host, ...fleet.who, name: 'all-gpus' });
  const path = { cvm_id: cvm.vm_uuid };
  const act = async (id: 'startCvm' | 'stopCvm', status: string) => {
    expect((await fleet.member.call(id, { path })).status).toBe(200);
    await eventually(`it is ${status}`, async () => {
      const { body } = await fleet.member.call('getCvm', { path });
      return body.status === status && !body.in_progress;
    });
  };
  const gpus = (await fleet.admin.call('listAdminGpus')).body as AdminGpu[];
  const change = async (id: 'attachAdminGpu' | 'detachAdminGpu', slot: string | undefined) => {
    const gpu = gpus.find((one) => one.slot === slot);
    const reply = await fleet.admin.call(id, {
      path: { id: gpu?.id ?? 0 },
      ...(id === 'attachAdminGpu' ? { body: { cvm_id: cvm.vm_uuid } } : {}),
    });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  };
  const assigned = async () =>
    (await vmm.get(host.teepod).getInfo(cvm.host_vm_id ?? ''))?.configuration?.gpus;

  await act('stopCvm', 'stopped');
  for (const slot of SLOTS) await change('attachAdminGpu', slot);
  await db.updateTable('cvms').set({ all_gpus: true }).where('id', '=', cvm.id).execute();
  await act('startCvm', 'running');
  expect(await assigned()).toMatchObject({ attach_mode: 'all' });

  await act('stopCvm', 'stopped');
  await change('detachAdminGpu', SLOTS[1]);
  await act('startCvm', 'running');
  expect(await assigned()).toMatchObject({ attach_mode: 'listed', gpus: [{ slot: SLOTS[0] }] });
});
