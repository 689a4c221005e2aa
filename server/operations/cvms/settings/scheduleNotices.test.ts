import { expect, it } from 'vitest';
import type { Notification } from '../../../../generated/api/types.gen';
import { addEvent } from '../../../db/activity/operations';
import { fanOutEvents } from '../../../jobs/notifications/notifyFeed';
import { SettingsWorld } from './testing/settings';

/** Notifications that a scheduled stop or deletion is near, after its time changes. */
const world = new SettingsWorld();

const SOON = new Date(Date.now() + 1_800_000);
const LATER = new Date(Date.now() + 86_400_000);

/** Warns as the worker does. */
async function warn(what: 'stop' | 'delete'): Promise<void> {
  await world.db
    .updateTable('cvms')
    .set(
      what === 'stop'
        ? { scheduled_stop_at: SOON, stop_warned_at: new Date() }
        : { scheduled_delete_at: SOON, delete_warned_at: new Date() },
    )
    .where('id', '=', world.cvm.id)
    .execute();
  const message = 'Will be stopped or deleted within the hour';
  const event = { kind: 'cvm.schedule_warning', severity: 'warning', message, data: { what } } as const;
  await addEvent(world.db, { cvm: world.cvm, ...event });
  await fanOutEvents(world.db, world.server.url);
}

async function notification(): Promise<Notification | undefined> {
  const { body } = await world.member.call('listNotifications');
  return body.data.find(({ kind, cvm }) => kind === 'cvm_schedule' && cvm?.id === world.cvm.public_id);
}

const isOpen = async () => (await notification())?.resolved_at === null;

it('is resolved when the stop is canceled', async () => {
  await warn('stop');
  expect(await isOpen()).toBe(true);
  await world.call('scheduleCvmStop', { scheduled_stop_at: null });
  expect(await notification()).toMatchObject({
    title: `${world.cvm.name} won’t be stopped`,
    resolved_at: expect.any(String),
  });
});

it('is resolved when the stop is postponed', async () => {
  await warn('stop');
  await world.call('scheduleCvmStop', { scheduled_stop_at: LATER.toISOString() });
  expect((await notification())?.title).toContain(`${world.cvm.name} will be stopped at `);
  expect(await isOpen()).toBe(false);
});

it('is resolved when deletion protection cancels the deletion', async () => {
  await warn('delete');
  await world.call('protectCvm');
  expect((await notification())?.title).toBe(`${world.cvm.name} won’t be deleted`);
  expect(await isOpen()).toBe(false);
});

it('stays while the other of a stop and a deletion is near', async () => {
  await warn('stop');
  await warn('delete');
  await world.call('scheduleCvmStop', { scheduled_stop_at: null });
  expect(await isOpen()).toBe(true);
  await world.call('scheduleCvmDelete', { scheduled_delete_at: null });
  expect(await isOpen()).toBe(false);
});
