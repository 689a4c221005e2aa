import { adminOne } from '../../../db/core/adminList';
import { adminGpus } from '../../../db/hosts/adminGpus';
import { findTeepod } from '../../../db/hosts/adminTeepods';
import { adminGpuOut } from '../../../domain/hosts/adminGpuResponse';
import type { Handler } from '../../types';
import { etagOf, keysOf, namingConflict } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { missing } from '../../core/admin/resource';
import { gpus } from '../../core/admin/resourcesGpus';

const SLOTS = {
  gpus_teepod_id_slot_key: { field: 'slot', message: 'This host already has a GPU in this slot.' },
};

export const createAdminGpu: Handler<'createAdminGpu'> = async ({ body, ctx }) =>
  namingConflict(SLOTS, () =>
    ctx.write(async ({ trx, audit }) => {
      if (!(await findTeepod(trx, body.teepod_id)))
        throw invalid('teepod_id', `There is no teepod ${body.teepod_id}.`);
      const { id } = await trx.insertInto('gpus').values(body).returning('id').executeTakeFirstOrThrow();
      const row = await adminOne(trx, adminGpus, id);
      if (!row) throw missing(gpus, id);
      await audit({
        action: 'gpu.create',
        target_kind: 'gpu',
        target_id: String(id),
        after: keysOf(row, Object.keys(body)),
      });
      return {
        status: 201,
        headers: { ETag: etagOf('gpus', id, row.updated_at) },
        body: adminGpuOut(row),
      } as const;
    }),
  );
