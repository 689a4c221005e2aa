import { deletionOf } from '../../db/teams/teamDeletion';
import { membershipOf } from '../core/caller';
import type { Handler } from '../types';
import { CVMS_SHOWN, deletionOut, deletionRefusal } from './teamDeletion';

export const getWorkspaceDeletion: Handler<'getWorkspaceDeletion'> = async ({ ctx }) => {
  const { id } = await membershipOf(ctx);
  const deletion = await deletionOf(ctx.db, id, CVMS_SHOWN);
  const refusal = deletionRefusal(deletion, ctx.config.billingEnforced)?.message ?? null;
  return { status: 200, body: deletionOut(deletion, refusal) };
};
