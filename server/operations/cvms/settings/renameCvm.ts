import { cvmNameProblem } from '../../../../console/lib/ids';
import { brokenConstraint } from '../../../db/core/client';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { duplicateName } from '../deploy/provisionCvm';
import { setCvm } from './setting';

/** Renames only here: the host keeps the VM's name, and the guest its host name. */
export const renameCvm: Handler<'renameCvm'> = async ({ path, body, ctx }) => {
  checkCvmName(body.name);
  try {
    await setCvm(ctx, {
      cvm_id: path.cvm_id,
      action: 'rename',
      change: async (row, write) => {
        // An app uses its first CVM's name until its CVMs have their own names.
        await write.trx
          .updateTable('apps')
          .set({ name: body.name })
          .where('id', '=', row.app.id)
          .where('name', '=', row.cvm.name)
          .execute();
        return { name: body.name, hostname: row.cvm.hostname ?? row.cvm.name };
      },
      event: ({ cvm }) => ({
        kind: 'cvm.renamed',
        message: `Renamed from “${cvm.name}” to “${body.name}”`,
        data: { before: cvm.name, after: body.name },
      }),
    });
  } catch (error) {
    if (brokenConstraint(error) === 'cvms_team_name') throw duplicateName(body.name);
    throw error;
  }
  return { status: 204 };
};

/** @throws INVALID_REQUEST with the reason */
export function checkCvmName(name: string): void {
  const message = cvmNameProblem(name);
  if (message)
    throw new Problem('INVALID_REQUEST', { message, details: [{ field: 'name', message, value: name }] });
}
