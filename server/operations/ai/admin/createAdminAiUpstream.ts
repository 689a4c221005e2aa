import { adminAiUpstreams } from '../../../db/ai/aiUpstreams';
import { adminOne } from '../../../db/core/adminList';
import { adminAiUpstreamOut } from '../../../domain/ai/adminAiResponse';
import { MASK } from '../../../domain/core/sealedValue';
import { etagOf, keysOf, namingConflict } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { aiUpstreams } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';
import { acceptedOf, checkedReply, checkEvidence, reachableUrl, sealedKey, UPSTREAM_NAMES } from './upstream';

export const createAdminAiUpstream: Handler<'createAdminAiUpstream'> = async ({ body, ctx }) => {
  const { api_key = null, ...rest } = body;
  const url = reachableUrl(ctx, body.url);
  const sealed_api_key = sealedKey(ctx, api_key);
  const evidence = {
    evidence_required: body.evidence_required ?? false,
    accepted_app_ids: [],
    accepted_kms_keys: [],
    ...acceptedOf(body),
  };
  checkEvidence({ ...evidence, url });
  const reply = await namingConflict(UPSTREAM_NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      const { id } = await trx
        .insertInto('ai_upstreams')
        .values({ ...rest, ...evidence, timeout_seconds: rest.timeout_seconds ?? 300, url, sealed_api_key })
        .returning('id')
        .executeTakeFirstOrThrow();
      const row = await adminOne(trx, adminAiUpstreams, id);
      if (!row) throw missing(aiUpstreams, id);
      await audit({
        action: 'ai_upstream.create',
        target_kind: 'ai_upstream',
        target_id: String(id),
        after: { ...keysOf(row, Object.keys(rest)), ...(sealed_api_key === null ? {} : { api_key: MASK }) },
      });
      return {
        status: 201,
        headers: { ETag: etagOf(aiUpstreams.name, id, row.updated_at) },
        body: adminAiUpstreamOut(row),
      } as const;
    }),
  );
  // After the transaction, so that a slow server holds no locks.
  const { body: checked } = await checkedReply(ctx, reply.body.id);
  return { ...reply, body: checked };
};
