import { describe, expect, it } from 'vitest';
import { composeHash, countDrift, driftOfCvm, driftOfVm, vmOf, type SizedCvm, type SizedVm } from './drift';

const UUID = '550e8400-e29b-41d4-a716-446655440000';
const NAME = `web.${UUID.replaceAll('-', '')}`;
const compose_file = '{"name":"web"}';
const cvm = (more: Partial<SizedCvm> = {}): SizedCvm => ({
  vm_uuid: UUID,
  host_vm_id: 'vm1',
  status: 'running',
  desired: 'running',
  vcpu: 1,
  memory_mb: 2048,
  disk_gb: 20,
  os_image: 'dstack-0.6.0',
  compose_hash: composeHash(compose_file),
  ...more,
});
const vm = (more: Partial<SizedVm> = {}): SizedVm => ({
  id: 'vm1',
  name: NAME,
  status: 'running',
  configuration: { vcpu: 1, memory: 2048, disk_size: 20, image: 'dstack-0.6.0', compose_file },
  ...more,
});

describe('drift of a CVM', () => {
  it('reports none when both sides agree, and during an operation', () => {
    expect(driftOfCvm(cvm(), vm())).toEqual([]);
    expect(driftOfCvm(cvm({ status: 'stopped', desired: 'stopped' }), vm({ status: 'stopped' }))).toEqual([]);
    expect(driftOfCvm(cvm({ status: 'updating' }), undefined)).toEqual([]);
    // It is known to be down.
    expect(driftOfCvm(cvm({ status: 'error' }), vm({ status: 'exited' }))).toEqual([]);
  });

  it('is not drift when a guest fails to boot', () => {
    const failed = cvm({ status: 'error', desired: 'running' });
    expect(driftOfCvm(failed, vm())).toEqual([]);
    expect(countDrift([failed], [vm()])).toBe(0);
    expect(countDrift([failed], [])).toBe(1);
  });

  it('is not drift when a deployment failed before it had a VM', () => {
    const failed = { status: 'error', desired: 'running', host_vm_id: null };
    expect(countDrift([cvm(failed)], [])).toBe(0);
    expect(countDrift([cvm({ ...failed, status: 'running' })], [])).toBe(1);
  });

  it.each([
    ['its VM is missing', {}, undefined, ['missing']],
    ['its VM is down', {}, { status: 'exited' }, ['status']],
    ['it runs though it should be stopped', { status: 'stopped', desired: 'stopped' }, {}, ['status']],
    ['it runs although stopping it failed', { status: 'error', desired: 'stopped' }, {}, ['status']],
    ['another size', { memory_mb: 4096 }, {}, ['resources']],
    ['another image', { os_image: 'dstack-0.7.0' }, {}, ['resources']],
    ['another compose file', { compose_hash: 'ab'.repeat(32) }, {}, ['compose']],
  ])('is detected when %s', (_, change, on, expected) => {
    expect(driftOfCvm(cvm(change), on === undefined ? undefined : vm(on))).toEqual(expected);
  });
});

describe('drift of a VM', () => {
  it('is classified by owner', () => {
    expect(driftOfVm(vm(), cvm())).toEqual([]);
    expect(driftOfVm(vm({ id: 'vm2' }), cvm())).toEqual(['duplicate']);
    // The CVM's own VM is missing.
    expect(driftOfVm(vm({ id: 'vm2' }), cvm({ status: 'lost' }))).toEqual(['duplicate']);
    // It may be the one being created for it.
    expect(driftOfVm(vm({ id: 'vm2' }), cvm({ host_vm_id: null }))).toEqual([]);
    expect(driftOfVm(vm(), undefined)).toEqual(['left_behind']);
    expect(driftOfVm(vm({ name: 'by-hand' }), undefined)).toEqual(['foreign']);
    expect(driftOfVm(vm({ status: 'removing' }), undefined)).toEqual([]);
  });

  it('leaves a lost CVM missing, even if something else has its name', () => {
    expect(vmOf(cvm({ status: 'lost' }), [vm({ id: 'vm2' })])).toBeUndefined();
    expect(countDrift([cvm({ status: 'lost' })], [vm({ id: 'vm2' })])).toBe(2);
  });

  it('counts each difference once', () => {
    expect(countDrift([cvm()], [vm()])).toBe(0);
    expect(countDrift([cvm()], [vm({ status: 'exited' }), vm({ id: 'x', name: 'by-hand' })])).toBe(2);
  });
});
