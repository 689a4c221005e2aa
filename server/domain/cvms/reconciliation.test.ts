import { describe, expect, it } from 'vitest';
import { decide, mayStartAgain, ownVm, type KnownCvm } from './reconciliation';

const NOW = new Date('2026-11-24T12:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const cvm = (more: Partial<KnownCvm> = {}): KnownCvm => ({
  status: 'running',
  desired: 'running',
  host_vm_id: 'vm1',
  instance_id: 'i1',
  boot_progress: 'done',
  missing_since: null,
  purge_at: null,
  ...more,
});
const vm = (more: object = {}) => ({
  id: 'vm1',
  status: 'running',
  boot_progress: 'done',
  boot_error: '',
  instance_id: 'i1',
  ...more,
});
const LOST = { status: 'lost', missing_since: ago(600) } as const;
const MISSING = { missing_since: ago(60) };

describe("the reconciler's decision", () => {
  it.each([
    ['nothing while all is well', cvm(), vm(), 'none'],
    ['nothing during an operation', cvm({ status: 'updating' }), undefined, 'none'],
    ['records what changed', cvm(), vm({ boot_progress: 'running' }), 'record'],
    ['waits for a host that has just restarted', cvm(), vm({ boot_progress: 'recovering' }), 'none'],
    ['starts a VM that stopped', cvm(), vm({ status: 'exited' }), 'start'],
    ['starts a VM whose boot failed, or reports it', cvm(), vm({ boot_error: 'no' }), 'start'],
    ['recovers a failed CVM that runs', cvm({ status: 'error' }), vm(), 'recover'],
    ['leaves a failed CVM that does not run', cvm({ status: 'error' }), vm({ status: 'stopped' }), 'none'],
    ['stops what should be stopped', cvm({ status: 'stopped', desired: 'stopped' }), vm(), 'stop'],
    ['stops again', cvm({ status: 'error', desired: 'stopped' }), vm(), 'stop'],
    [
      'ends a failed stop of a VM that is down by now',
      cvm({ status: 'error', desired: 'stopped' }),
      vm({ status: 'stopped' }),
      'stop',
    ],
    [
      'waits for a VM that is stopping',
      cvm({ status: 'error', desired: 'stopped' }),
      vm({ status: 'stopping' }),
      'none',
    ],
    ['deletes again', cvm({ status: 'error', desired: 'deleted' }), undefined, 'delete'],
    ['deletes a lost CVM again', cvm({ ...LOST, desired: 'deleted' }), undefined, 'delete'],
    ['notes that a VM is missing', cvm(), undefined, 'note_missing'],
    ['treats one that is being removed as missing', cvm(), vm({ status: 'removing' }), 'note_missing'],
    ['waits for a moment', cvm({ missing_since: ago(29) }), undefined, 'none'],
    ['asks the host after that', cvm(MISSING), undefined, 'inquire'],
    ['asks about failed ones, too', cvm({ ...MISSING, status: 'error' }), undefined, 'inquire'],
    ['notes that it is back', cvm(MISSING), vm(), 'note_listed'],
    [
      'misses nothing of a CVM in the recycle bin',
      cvm({ ...MISSING, status: 'stopped', desired: 'stopped', purge_at: NOW }),
      undefined,
      'none',
    ],
    ['misses nothing that was never created', cvm({ status: 'error', host_vm_id: null }), undefined, 'none'],
    ['leaves a lost CVM lost', cvm(LOST), undefined, 'none'],
    ['recovers a lost CVM', cvm(LOST), vm(), 'recover'],
    ['starts a lost CVM that came back stopped', cvm(LOST), vm({ status: 'stopped' }), 'start'],
    ['waits for a status it does not know', cvm(LOST), vm({ status: 'unknown' }), 'none'],
    [
      'finds one that should be stopped',
      cvm({ ...LOST, desired: 'stopped' }),
      vm({ status: 'stopped' }),
      'find_stopped',
    ],
  ] as const)('%s', (_, known, seen, decision) => {
    expect(decide(known, seen, NOW)).toBe(decision);
  });

  it('calls a CVM lost only if its process does not run either', () => {
    expect(decide(cvm(MISSING), undefined, NOW, { process_runs: false })).toBe('lose');
    expect(decide(cvm(MISSING), undefined, NOW, { process_runs: true })).toBe('note_missing');
    expect(decide(cvm(MISSING), vm(), NOW, { process_runs: false })).toBe('note_listed');
  });

  it('starts a CVM three times an hour, and never one whose boot failed', () => {
    expect([0, 2, 3].map((starts) => mayStartAgain(starts, vm()))).toEqual([true, true, false]);
    expect(mayStartAgain(0, vm({ boot_error: 'no' }))).toBe(false);
  });
});

describe('the VM of a CVM', () => {
  const UUID = '550e8400-e29b-41d4-a716-446655440000';
  const listed = (id: string, status = 'running') => ({
    id,
    name: `web.${UUID.replaceAll('-', '')}`,
    status,
  });
  const own = (host_vm_id: string | null, vms: ReturnType<typeof listed>[], given_up: string[] = []) =>
    ownVm({ vm_uuid: UUID, host_vm_id }, vms, new Set(given_up))?.id;

  it('is the one on record, never another with its name', () => {
    expect(own('vm1', [listed('vm2'), listed('vm1')])).toBe('vm1');
    expect(own('vm1', [listed('vm2')])).toBeUndefined();
    expect(own('vm1', [listed('vm1', 'removing')])).toBeUndefined();
  });

  it('is found by name before it is on record, unless it was given up', () => {
    expect(own(null, [listed('vm2')])).toBe('vm2');
    expect(own(null, [listed('vm1'), listed('vm2')], ['vm1'])).toBe('vm2');
    expect(own(null, [listed('vm1')], ['vm1'])).toBeUndefined();
  });
});
