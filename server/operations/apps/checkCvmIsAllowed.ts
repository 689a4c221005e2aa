import { findCvm } from '../../db/cvms/cvmLookup';
import type { NumberedIsAllowed } from '../../domain/cvms/cvmResponse20260121';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { bareHash, decideIsAllowed, deviceOf } from './isAllowed';

export const checkCvmIsAllowed: Handler<'checkCvmIsAllowed'> = async ({ path, body, ctx }) => {
  const { cvm, app, revision, node, os } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const question = {
    compose_hash: bareHash(body.compose_hash ?? revision.compose_hash),
    device_id: await deviceOf(ctx, body, node.device_id ?? ''),
    os_image_hash: os?.os_image_hash ?? null,
    cvm,
  };
  return { status: 200, body: onlyDecision(await decideIsAllowed(ctx, app, [question])) };
};

export function onlyDecision({ decisions }: { decisions: NumberedIsAllowed[] }): NumberedIsAllowed {
  const [decision] = decisions;
  if (!decision) throw new Error('a question was not decided');
  return decision;
}
