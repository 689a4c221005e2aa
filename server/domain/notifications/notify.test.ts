import { describe, expect, it } from 'vitest';
import { noticesOf } from './notices';
import { isTimeZone, quietUntil } from './notifyQuiet';
import { readUnsubscribeToken, unsubscribeToken } from './notifyUnsubscribe';
import { createSeal } from '../core/seal';

const NIGHT = { from: '22:00', to: '07:00' };
const until = (at: string, zone: string | null, hours = NIGHT) =>
  quietUntil(new Date(at), zone, hours)?.toISOString() ?? null;

describe('quiet hours', () => {
  it('end by the user’s local clock', () => {
    expect(until('2026-11-21T21:59:59Z', null)).toBeNull();
    expect(until('2026-11-21T22:00:00Z', null)).toBe('2026-11-22T07:00:00.000Z');
    expect(until('2026-11-22T06:59:59Z', null)).toBe('2026-11-22T07:00:00.000Z');
    expect(until('2026-11-22T07:00:00Z', null)).toBeNull();
    expect(until('2026-11-21T21:30:00Z', 'Europe/Berlin')).toBe('2026-11-22T06:00:00.000Z');
    expect(until('2026-11-21T13:30:00Z', 'Asia/Tokyo')).toBe('2026-11-21T22:00:00.000Z');
    expect(until('2026-11-21T18:00:00Z', 'Asia/Kathmandu')).toBe('2026-11-22T01:15:00.000Z');
    expect(until('2026-11-21T12:30:00Z', null, { from: '12:00', to: '13:00' })).toBe(
      '2026-11-21T13:00:00.000Z',
    );
    expect(until('2026-11-21T13:00:00Z', null, { from: '12:00', to: '13:00' })).toBeNull();
    // Equal times mean no quiet hours, not a whole day.
    expect(until('2026-11-21T12:30:00Z', null, { from: '12:00', to: '12:00' })).toBeNull();
  });

  it('are an hour shorter or longer when the clocks change', () => {
    // Berlin, 29 March 2026: 02:00 becomes 03:00.
    expect(until('2026-03-28T22:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T05:00:00.000Z');
    // Berlin, 25 October 2026: 03:00 becomes 02:00.
    expect(until('2026-10-24T21:00:00Z', 'Europe/Berlin')).toBe('2026-10-25T06:00:00.000Z');
    // New York, 8 March and 1 November 2026.
    expect(until('2026-03-08T04:00:00Z', 'America/New_York')).toBe('2026-03-08T11:00:00.000Z');
    expect(until('2026-11-01T03:00:00Z', 'America/New_York')).toBe('2026-11-01T12:00:00.000Z');
    // Lord Howe shifts by half an hour.
    expect(until('2026-10-03T13:00:00Z', 'Australia/Lord_Howe')).toBe('2026-10-03T20:00:00.000Z');
  });

  it('end at the moment the clocks skip their end', () => {
    const early = { from: '22:00', to: '02:30' };
    expect(until('2026-03-28T23:00:00Z', 'Europe/Berlin', early)).toBe('2026-03-29T01:00:00.000Z');
    // In autumn it occurs twice; the first one counts.
    expect(until('2026-10-24T22:00:00Z', 'Europe/Berlin', early)).toBe('2026-10-25T00:30:00.000Z');
  });

  it('require an existing time zone', () => {
    expect(isTimeZone('Europe/Berlin')).toBe(true);
    expect(isTimeZone('Mars/Olympus_Mons')).toBe(false);
  });
});

describe('notices for an event', () => {
  const cvm = { cvm_id: 7, cvm_name: 'web', cvm_status: 'running', app_id: 'a' };
  const event = { severity: 'error', message: 'm', ...cvm, data: {} };
  it.each([
    ['update.failed', 'open operation_failed cvm:7'],
    ['rollout.failed', 'open operation_failed cvm:7'],
    ['cvm.lost', 'open cvm_down cvm:7'],
    ['cvm.recovered', 'over cvm_down cvm:7'],
    ['cvm.found', 'over cvm_down cvm:7'],
    ['cvm.given_up', 'over cvm_down cvm:7'],
    ['cvm.disk_low', 'open disk_low cvm:7'],
    ['cvm.disk_recovered', 'over disk_low cvm:7'],
    ['start.succeeded', 'over operation_failed cvm:7, over host_trouble drain:cvm:7, over cvm_down cvm:7'],
    [
      'move.succeeded',
      'over operation_failed cvm:7, over host_trouble drain:cvm:7, over host_trouble maintenance:cvm:7, over cvm_down cvm:7',
    ],
    [
      'delete.succeeded',
      'over operation_failed cvm:7, over host_trouble drain:cvm:7, over host_trouble maintenance:cvm:7, over cvm_down cvm:7, over cvm_schedule cvm:7, over disk_low cvm:7',
    ],
    ['cvm.drain_notice', 'open host_trouble drain:cvm:7'],
    ['cvm.drain_cancelled', 'over host_trouble drain:cvm:7'],
    ['cvm.maintenance_planned', 'open host_trouble maintenance:cvm:7'],
    ['cvm.maintenance_over', 'over host_trouble maintenance:cvm:7'],
    ['update.requested', ''],
    ['boot.progress', ''],
    ['cvm.repair', ''],
  ])('%s: %s', (kind, expected) => {
    const made = noticesOf({ ...event, kind }).map((one) => `${one.state} ${one.kind} ${one.subject}`);
    expect(made.join(', ')).toBe(expected);
  });

  it('says of a restored CVM that didn’t start that it was restored', () => {
    const message = 'Restored, but not started: No space left on the host';
    expect(noticesOf({ ...event, kind: 'start.failed', message, data: { restores: true } })).toMatchObject([
      { title: 'Restored, but not started: web', message: 'No space left on the host' },
    ]);
    expect(noticesOf({ ...event, kind: 'start.failed', message: 'Start failed: full' })).toMatchObject([
      { title: 'Start failed: web', message: 'full' },
    ]);
  });

  it('says that a CVM is running again only if it is', () => {
    const ends = (kind: string, cvm_status: string) =>
      noticesOf({ ...event, kind, cvm_status }).find((one) => one.kind === 'cvm_down')?.message;
    expect(ends('move.succeeded', 'running')).toBe('web is running again');
    expect(ends('update.succeeded', 'stopped')).toBeNull();
  });

  it('says that a CVM is not stopped after its drain was canceled', () => {
    expect(noticesOf({ ...event, kind: 'cvm.drain_cancelled' })).toMatchObject([
      { state: 'over', title: 'web won’t be stopped', message: 'Its host stays in service' },
    ]);
  });

  it('is information when an order starts, and a warning when one ends', () => {
    const order = { ...event, data: { order_id: 'ord_1', term: 1, title: 'Order' } };
    const look = (kind: string, severity: string) =>
      noticesOf({ ...order, kind, severity }).map((one) => one.state === 'open' && one.severity);
    expect(look('order.started', 'info')).toEqual(['info']);
    expect(look('order.ending', 'warning')).toEqual(['warning']);
    expect(look('order.renewal_failed', 'error')).toEqual(['error']);
  });

  it('notifies a team that the operators removed or reinstated its app, and not of its own listing changes', () => {
    const told = (data: object) =>
      noticesOf({ ...event, kind: 'cvm.listed', data }).map(
        (one) => `${one.state} ${one.kind} ${one.subject}`,
      );
    expect(told({ listed: false, is_refused: true, app_name: 'shop' })).toEqual([
      'open listing listing:app:a',
    ]);
    expect(told({ listed: false, is_refused: false })).toEqual(['over listing listing:app:a']);
    expect(told({ listed: true })).toEqual([]);
  });

  it('names the subject of a team event', () => {
    const host = { ...event, cvm_id: null, cvm_name: null, data: { teepod: 'tee-1', teepod_id: 3 } };
    expect(noticesOf({ ...host, kind: 'host.unreachable' })).toMatchObject([
      { state: 'open', subject: 'teepod:3', title: 'The host tee-1 isn’t responding' },
    ]);
    const hook = { ...event, cvm_id: null, data: { webhook_id: 'whk_1' } };
    expect(noticesOf({ ...hook, kind: 'webhook.failed' })).toMatchObject([
      { kind: 'webhook_failed', subject: 'webhook:whk_1' },
    ]);
  });
});

it('an unsubscribe token belongs to one user and kind, and cannot be forged', () => {
  const seal = createSeal(Buffer.from('s'.repeat(40)));
  const token = unsubscribeToken(seal, 'usr_1', 'disk_low');
  expect(readUnsubscribeToken(seal, token)).toEqual({ user_public_id: 'usr_1', kind: 'disk_low' });
  expect(readUnsubscribeToken(seal, token.replace('usr_1', 'usr_2'))).toBeNull();
  expect(readUnsubscribeToken(seal, token.replace('disk_low', 'cvm_down'))).toBeNull();
  expect(readUnsubscribeToken(seal, token.replace('disk_low', 'constructor'))).toBeNull();
  expect(readUnsubscribeToken(createSeal(Buffer.from('other')), token)).toBeNull();
  expect(readUnsubscribeToken(seal, '')).toBeNull();
});

describe('a failed operation', () => {
  const titleOf = (kind: string) =>
    noticesOf({
      kind,
      severity: 'error',
      message: 'Deploy failed: no answer',
      cvm_id: 1,
      cvm_name: 'web',
      cvm_status: 'error',
      app_id: null,
      data: {},
    }).map((notice) => ('title' in notice ? notice.title : null));

  it('is titled in the words of its event and toast', () => {
    expect(titleOf('deploy.failed')).toEqual(['Deploy failed: web']);
    expect(titleOf('shutdown.failed')).toEqual(['Shutdown failed: web']);
    expect(titleOf('rollout.failed')).toEqual(['Rollout failed: web']);
  });

  it('states the cause without the headline, which the title has', () => {
    const [notice] = noticesOf({
      kind: 'deploy.failed',
      severity: 'error',
      message: 'Deploy failed: no answer',
      cvm_id: 1,
      cvm_name: 'web',
      cvm_status: 'error',
      app_id: null,
      data: {},
    });
    expect(notice).toMatchObject({ title: 'Deploy failed: web', message: 'no answer' });
  });
});
