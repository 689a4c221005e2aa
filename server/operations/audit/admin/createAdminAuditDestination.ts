import { countAuditDestinations, latestAuditId } from '../../../db/audit/auditDestinations';
import { MAX_DESTINATIONS } from '../../../domain/audit/destination';
import { Problem } from '../../../domain/core/problem';
import { MASK } from '../../../domain/core/sealedValue';
import { namingConflict } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import type { Handler } from '../../types';
import {
  audited,
  checkedAddress,
  checkedCertificate,
  checkedClient,
  DESTINATION_NAMES,
  destinationReply,
  sealedSecret,
} from './destination';

export const createAdminAuditDestination: Handler<'createAdminAuditDestination'> = async ({ body, ctx }) => {
  const { name, kind, start = 'now' } = body;
  if (kind === 'webhook' && body.secret === undefined)
    throw invalid('secret', 'Enter a secret that the receiver uses to verify requests.');
  const row = {
    name,
    kind,
    address: await checkedAddress(ctx, kind, body.address),
    sealed_secret: body.secret === undefined ? null : sealedSecret(ctx, kind, body.secret),
    ca_certificate: checkedCertificate(kind, body.ca_certificate ?? null),
    ...checkedClient(ctx, kind, body.client_certificate ?? null, body.client_key),
  };
  return namingConflict(DESTINATION_NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      if ((await countAuditDestinations(trx)) >= MAX_DESTINATIONS)
        throw new Problem('CONFLICT', {
          message: `This server has reached the limit of ${MAX_DESTINATIONS} audit destinations.`,
          suggestions: ['Remove one that is no longer used.'],
        });
      const delivered_id = start === 'beginning' ? 0 : await latestAuditId(trx);
      const { id } = await trx
        .insertInto('audit_destinations')
        .values({ ...row, delivered_id })
        .returning('id')
        .executeTakeFirstOrThrow();
      const { sealed_secret, sealed_client_key, ...shown } = audited(row);
      await audit({
        action: 'audit_destination.create',
        target_kind: 'audit_destination',
        target_id: String(id),
        after: {
          ...shown,
          start,
          ...(sealed_secret === null ? {} : { secret: MASK }),
          ...(sealed_client_key === null ? {} : { client_key: MASK }),
        },
      });
      return { ...(await destinationReply(trx, id)), status: 201 } as const;
    }),
  );
};
