import { expect, it } from 'vitest';
import type { Notification } from '../../../generated/api/types.gen';
import { groupNotifications } from './groups';

const notice = (id: string, app_id: string | null, resolved_at: string | null = null): Notification => ({
  id,
  kind: 'operation_failed',
  severity: 'error',
  title: `Deploy failed: ${id}`,
  message: 'The VM did not boot.',
  team: { object_type: 'workspace', id: 'team_1', slug: 'acme', name: 'Acme', avatar_url: null },
  cvm: app_id === null ? null : { object_type: 'cvm', id: `cvm_${id}`, name: id, app_id, vm_uuid: null },
  count: 1,
  created_at: '2026-03-01T12:00:00Z',
  updated_at: '2026-03-01T12:00:00Z',
  resolved_at,
  read_at: null,
  finance_action_id: null,
});
const ids = (rows: Notification[]) =>
  groupNotifications(rows).map(({ lead, rest }) => [lead.id, ...rest.map(({ id }) => id)]);

it('groups notifications of one kind and app, apart from resolved ones', () => {
  const rows = [
    notice('a', 'app_1'),
    notice('b', 'app_2'),
    notice('c', 'app_1'),
    notice('d', 'app_1', '2026-03-01T13:00:00Z'),
    notice('e', null),
    notice('f', null),
  ];
  expect(ids(rows)).toEqual([['a', 'c'], ['b'], ['d'], ['e'], ['f']]);
});
