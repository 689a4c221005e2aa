import { lockPerson } from '../../../db/accounts/adminUsers';
import { needAnotherAdmin } from '../../core/platformAdmin';
import type { Handler } from '../../types';
import { changeRow } from '../../core/admin/resource';
import { users } from '../../core/admin/resourcesPeople';
import { needState } from './userAction';

export const updateAdminUser: Handler<'updateAdminUser'> = ({ path, body, ctx }) =>
  changeRow(ctx, users, path.id, {
    kind: 'user',
    patch: body,
    lock: lockPerson,
    async check(trx, { platform_role }, user) {
      if (platform_role === undefined) return;
      // Suspended staff must not get their role back with their account.
      if (platform_role !== null) needState(user, 'active', 'given a platform role');
      if (platform_role !== 'admin') await needAnotherAdmin(trx, user);
    },
    write: (trx, changes) => trx.updateTable('users').set(changes).where('id', '=', path.id).execute(),
  });
