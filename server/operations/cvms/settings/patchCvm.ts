import type { CvmPatch } from '../../../../generated/api/types.gen';
import type { OperationPayload } from '../../../db/activity/operationsTable';
import { Problem } from '../../../domain/core/problem';
import { checkTexts } from '../../core/text';
import type { Handler } from '../../types';
import { analyzeAhead } from '../deploy/checkedCompose';
import { commitWaitingHash } from '../onChain/commitUpdate';
import { confirmationIn } from '../onChain/gate';
import { changeCvm } from './change';
import { checkRestart, resizePayload, sizeUnchanged } from './resize';
import { setCvm } from './setting';
import { listedSetting } from './setCvmListed';
import { nextRevision } from './update';

/**
 * Changes only the fields present, all of them in one operation: a resize if only the size changes, otherwise an
 * update, which may create a revision.
 */
export const patchCvm: Handler<'patchCvm'> = async ({ path: { cvm_id }, body, ctx }) => {
  checkTexts(body, ['reason']);
  const { size, revision, graceful } = parts(body);
  const { listed, reason, allow_restart } = body;
  if (body.gpus !== undefined)
    throw new Problem('INCOMPATIBLE_CONFIG', {
      message: "The GPUs of an existing CVM can't be changed.",
      details: [{ field: 'gpus' }],
      suggestions: ['Leave gpus out, or deploy a new CVM with a GPU instance type.'],
    });
  const resizes = Object.keys(size).length > 0;
  const updates = Object.keys(revision).length > 0;
  const confirms = confirmationIn(ctx);
  // The second step of a change that needed the contract's approval.
  if (!resizes && !updates && listed === undefined && confirms)
    return {
      status: 202,
      body: await commitWaitingHash(ctx, cvm_id, confirms),
    };
  if (!resizes && !updates) {
    if (listed === undefined)
      throw new Problem('INVALID_REQUEST', {
        message: 'The request changes nothing.',
        suggestions: ['Send at least one field to change.'],
      });
    const { latest_operation } = await setCvm(ctx, { cvm_id, ...listedSetting(listed) });
    return { status: 202, body: { correlation_id: latest_operation?.correlation_id ?? '' } };
  }
  await analyzeAhead(ctx, body.docker_compose_file);
  return changeCvm(ctx, {
    cvm_id,
    type: updates ? 'update' : 'resize',
    confirms,
    size: updates && resizes ? size : undefined,
    listed,
    payload: async (row, write) => {
      checkRestart(row, allow_restart);
      const common: OperationPayload = { ...graceful, ...(reason ? { reason } : {}) };
      if (!updates) {
        const newSize = await resizePayload(write, row, size);
        if (!newSize) throw sizeUnchanged();
        return { ...newSize, ...common };
      }
      const { allowed_envs_changed: _, ...update } = await nextRevision(ctx, write, row, {
        ...revision,
        reason,
      });
      return { ...update, ...common };
    },
    reply: (_row, operation) => ({
      status: 202 as const,
      body: { correlation_id: operation.correlation_id },
    }),
  });
};

/** Splits a patch into separately applied parts; absent fields are in none. */
function parts(body: CvmPatch) {
  const { vcpu, memory, disk_size, instance_type, shutdown_timeout, allow_force_stop, ...others } = body;
  const { gpus: _, listed: _listed, allow_restart: _restart, reason: _reason, ...app } = others;
  const { image, os_image_name, ...revision } = app;
  if (image !== undefined && os_image_name !== undefined && image !== os_image_name)
    throw new Problem('INVALID_REQUEST', {
      message: 'image and os_image_name differ.',
      details: [{ field: 'os_image_name', value: os_image_name }],
      suggestions: ['Send one of them.'],
    });
  return {
    size: present({ vcpu, memory, disk_size, instance_type }),
    revision: present({
      ...revision,
      image: image ?? os_image_name,
      image_field: image === undefined && os_image_name !== undefined ? 'os_image_name' : undefined,
    }),
    graceful: present({ shutdown_timeout, allow_force_stop }),
  };
}

const present = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
