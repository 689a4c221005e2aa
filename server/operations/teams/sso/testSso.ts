import { cutWhole } from '../../../../console/lib/texts/cutWhole';
import { findConnection, noteCheck } from '../../../db/teams/sso';
import { issuerRefusal } from '../../../domain/teams/sso';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { noConnection } from './connection';
import { invalidField } from '../../core/invalid';

/** Characters. Details may hold the issuer and text from the provider. */
const MAX_DETAIL = 1000;

export const testSso: Handler<'testSso'> = async ({ body, ctx }) => {
  const row = await findConnection(ctx.db, teamOf(ctx).id);
  const issuer = body.issuer ?? row?.issuer;
  if (issuer === undefined) throw noConnection();
  const refusal = issuerRefusal(issuer);
  if (refusal !== null) throw invalidField('issuer', refusal);
  const steps = (await ctx.oidc.inspect(issuer)).map((step) => ({
    ...step,
    detail: cutWhole(step.detail, MAX_DETAIL),
  }));
  const failed = steps.find(({ ok }) => !ok);
  if (row?.issuer === issuer) await noteCheck(ctx.db, row.id, failed?.detail ?? null);
  return { status: 200, body: { ok: failed === undefined, steps } };
};
