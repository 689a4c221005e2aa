import { operations, type OperationId, type OperationSpec } from '../../../../generated/api/operations.gen';
import { decide, subjectOf } from '../../../domain/teams/permissions';
import { CONFIRMED_SECONDS } from '../../../domain/accounts/stepUp';
import type { Context } from '../../types';

const specs = Object.entries(operations) as [OperationId, OperationSpec][];
const admin = specs.filter(([, spec]) => spec.tag === 'admin');

/** Resources without bulk actions: a bulk job can't act on bulk jobs. */
const NOT_IN_BULK: ReadonlySet<string> = new Set(['bulk-jobs']);

export interface BulkTarget {
  operation: OperationId;
  spec: OperationSpec;
}

/** Returns the operation for `action` on one record of `resource`, or null if the document allows none in bulk. */
export function targetOf(resource: string, action: string): BulkTarget | null {
  if (NOT_IN_BULK.has(resource)) return null;
  const [method, last] =
    action === 'edit' ? ['patch', ''] : action === 'delete' ? ['delete', ''] : ['post', `/${action}`];
  const found = admin.find(
    ([, spec]) =>
      spec.method === method &&
      spec.path.replace(/\{\w+\}/, '{}') === `/admin/${resource}/{}${last}` &&
      (method !== 'post' || spec.bulk),
  );
  return found ? { operation: found[0], spec: found[1] } : null;
}

/** Names of the resources whose lists the caller may read. */
export function listableResources(ctx: Pick<Context, 'caller'>): string[] {
  const subject = subjectOf(ctx.caller);
  return admin.flatMap(([, { method, path, permission }]) => {
    const name = /^\/admin\/([a-z0-9-]+)$/.exec(path)?.[1];
    return method === 'get' && name !== undefined && decide(permission, subject) === 'allowed' ? [name] : [];
  });
}

/** Returns whether the caller has permission now; it is checked again for each row. */
export const mayDo = (ctx: Pick<Context, 'caller'>, { spec }: BulkTarget): boolean =>
  decide(spec.permission, subjectOf(ctx.caller)) === 'allowed';

/** Rows are processed unattended, so the user confirms once for all of them when starting the job. */
export const needsStepUp = ({ caller }: Pick<Context, 'caller'>, { spec }: BulkTarget): boolean =>
  spec.stepUp &&
  caller.session !== null &&
  Date.now() - caller.session.confirmed_at.getTime() > CONFIRMED_SECONDS * 1000;
