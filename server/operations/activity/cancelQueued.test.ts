import { expect, it } from 'vitest';
import type { CvmDetail } from '../../../generated/api/types.gen';
import type { CvmChange } from '../../db/cvms/cvmsTable';
import { SettingsWorld } from '../cvms/settings/testing/settings';

/** Operations that no worker has claimed yet: canceling them leaves the CVM as it was. */
const world = new SettingsWorld();

const set = (change: CvmChange) =>
  world.db.updateTable('cvms').set(change).where('id', '=', world.cvm.id).execute();
const cancel = async () => expect((await world.call('cancelCvmOperation')).status).toBe(202);
const read = async () => (await world.call('getCvm')).body as CvmDetail;

it('gives the reason for the error state of a CVM whose start is canceled', async () => {
  await set({ status: 'error' });
  expect((await world.call('startCvm')).status).toBe(200);
  await cancel();
  expect(await read()).toMatchObject({
    status: 'error',
    in_progress: false,
    status_reason: 'It was already in an error state, and the operation meant to fix it was canceled.',
  });
});

it('keeps a CVM stopped when its restoration from the recycle bin is canceled', async () => {
  expect((await world.call('deleteCvm')).status).toBe(204);
  await world.db
    .updateTable('operations')
    .set({ state: 'succeeded', finished_at: new Date() })
    .where('cvm_id', '=', world.cvm.id)
    .execute();
  await set({ status: 'stopped', desired: 'stopped' });
  expect((await world.call('restoreCvm')).body).toMatchObject({ status: 'starting' });
  await cancel();
  expect(await read()).toMatchObject({ status: 'stopped', in_progress: false });
  // Nothing runs that this change would restart.
  const resized = await world.call('patchCvm', { vcpu: 2, allow_restart: false });
  expect(resized.status, JSON.stringify(resized.body)).toBe(202);
});
