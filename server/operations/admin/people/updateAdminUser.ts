import { lockPerson } from '../../../db/adminUsers';
import { needAnotherAdmin } from '../../shared/platformAdmin';
import type { Handler } from '../../types';
import { changeRow } from '../resource';
import { users } from '../resourcesPeople';
import { needState } from './person';

export const updateAdminUser: Handler<'updateAdminUser'> = ({ path, body, ctx }) =>
  changeRow(ctx, users, path.id, {
    kind: 'user',
    patch: body,
    lock: lockPerson,
    async check(trx, { platform_role }, person) {
      if (platform_role === undefined) return;
      needState(person, 'active', 'given another role');
      if (platform_role !== 'admin') await needAnotherAdmin(trx, person);
    },
    write: (trx, changes) => trx.updateTable('users').set(changes).where('id', '=', path.id).execute(),
  });
