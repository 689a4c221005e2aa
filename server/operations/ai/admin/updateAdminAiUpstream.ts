import { lockAiUpstream } from '../../../db/ai/aiUpstreams';
import { MASK } from '../../../domain/core/sealedValue';
import { namingConflict } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { changeRow } from '../../core/admin/resource';
import { aiUpstreams } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';
import { acceptedOf, checkedReply, checkEvidence, reachableUrl, sealedKey, UPSTREAM_NAMES } from './upstream';

export const updateAdminAiUpstream: Handler<'updateAdminAiUpstream'> = async ({ path, body, ctx }) => {
  const { api_key, url, ...rest } = body;
  const sealed_api_key = api_key === undefined ? undefined : sealedKey(ctx, api_key);
  let is_moved = false;
  const reply = await namingConflict(UPSTREAM_NAMES, () =>
    changeRow(ctx, aiUpstreams, path.id, {
      kind: 'ai_upstream',
      patch: {
        ...rest,
        ...acceptedOf(body),
        url: url === undefined ? undefined : reachableUrl(ctx, url),
        sealed_api_key,
      },
      lock: lockAiUpstream,
      async check(_trx, changes, before) {
        if (before.team_id !== null && changes.url !== undefined)
          throw invalid('url', 'A team’s upstream keeps the address of its app.');
        const after = { ...before, ...changes };
        checkEvidence(after);
        // A key must not follow the URL to another server, where anyone who may change URLs could read it.
        if (
          after.sealed_api_key !== null &&
          changes.sealed_api_key === undefined &&
          new URL(after.url).origin !== new URL(before.url).origin
        )
          throw invalid('api_key', `Enter it again. The stored one is for ${new URL(before.url).origin}.`);
        is_moved = (['url', 'sealed_api_key', 'evidence_required'] as const).some(
          (field) => changes[field] !== undefined,
        );
      },
      shown: (row) => ({ ...row, sealed_api_key: row.sealed_api_key && MASK }),
      write: (trx, changes) =>
        trx.updateTable('ai_upstreams').set(changes).where('id', '=', path.id).execute(),
    }),
  );
  return is_moved ? checkedReply(ctx, path.id) : reply;
};
