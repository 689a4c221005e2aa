import { describe, expect, it } from 'vitest';
import { duplicatesOf, type NamedCvm } from './duplicates';

const UUID = '550e8400-e29b-41d4-a716-446655440000';
const cvm = (more: Partial<NamedCvm> = {}): NamedCvm => ({
  vm_uuid: UUID,
  name: 'web',
  team_name: 'Acme',
  team_slug: 'acme',
  status: 'running',
  host_vm_id: 'vm1',
  teepod: 'alpha',
  given_up: [],
  ...more,
});
const vm = (id: string, more: object = {}) => ({
  id,
  name: `web.${UUID.replaceAll('-', '')}`,
  status: 'running',
  app_id: 'ab'.repeat(20),
  instance_id: null,
  uptime: '3h',
  exited_at: null,
  events: [{ timestamp: Date.UTC(2026, 10, 21, 8) }, { timestamp: Date.UTC(2026, 10, 21, 7) }],
  configuration: { vcpu: 1, memory: 2048, disk_size: 20 },
  ...more,
});
const idsOf = (...args: Parameters<typeof duplicatesOf>) =>
  duplicatesOf(...args).map(({ vms }) => vms.map(({ host_vm_id }) => host_vm_id));

describe('duplicate VMs', () => {
  it('are listed with what each one holds, including the one in use', () => {
    expect(
      duplicatesOf(
        'alpha',
        [vm('vm1'), vm('vm2', { status: 'stopped', exited_at: '2h', events: [] })],
        [cvm()],
      ),
    ).toEqual([
      {
        cvm: { vm_uuid: UUID, name: 'web', team_name: 'Acme', team_slug: 'acme', status: 'running' },
        used_vm_id: 'vm1',
        used_teepod: 'alpha',
        vms: [
          {
            host_vm_id: 'vm1',
            teepod: 'alpha',
            status: 'running',
            is_used: true,
            given_up_at: null,
            app_id: 'ab'.repeat(20),
            instance_id: null,
            vcpu: 1,
            memory_mb: 2048,
            disk_gb: 20,
            uptime: '3h',
            exited_at: null,
            first_event_at: '2026-11-21T07:00:00.000Z',
          },
          expect.objectContaining({
            host_vm_id: 'vm2',
            is_used: false,
            exited_at: '2h',
            first_event_at: null,
          }),
        ],
      },
    ]);
  });

  it('include a VM with a lost CVM’s name, and VMs that were given up, even of a deleted CVM', () => {
    expect(idsOf('alpha', [vm('vm2')], [cvm({ status: 'lost' })])).toEqual([['vm2']]);
    const given_up = [{ host_vm_id: 'vm0', given_up_at: '2026-11-21T07:00:00Z' }];
    expect(idsOf('alpha', [vm('vm0'), vm('vm1')], [cvm({ given_up })])).toEqual([['vm0', 'vm1']]);
    expect(idsOf('beta', [vm('vm0')], [cvm({ given_up, status: 'deleted' })])).toEqual([['vm0']]);
  });

  it('exclude a CVM’s only VM, leftovers, and VMs that an operation creates or removes', () => {
    expect(idsOf('alpha', [vm('vm1')], [cvm()])).toEqual([]);
    expect(idsOf('alpha', [vm('vm2')], [cvm({ status: 'deleted' })])).toEqual([]);
    expect(idsOf('alpha', [vm('vm2')], [cvm({ status: 'creating', host_vm_id: null })])).toEqual([]);
    // The old VM of a move is removed once the new one runs.
    expect(idsOf('beta', [vm('vm2')], [cvm()])).toEqual([]);
    expect(idsOf('alpha', [vm('vm1'), vm('vm2', { status: 'removing' })], [cvm()])).toEqual([]);
  });
});
