import { lockAiUpstream, modelsOfUpstream } from '../../../db/ai/aiUpstreams';
import { Problem } from '../../../domain/core/problem';
import { removeRow } from '../../core/admin/resource';
import { aiUpstreams } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

const MAX_NAMED = 5;

export const deleteAdminAiUpstream: Handler<'deleteAdminAiUpstream'> = ({ path, ctx }) =>
  removeRow(ctx, aiUpstreams, path.id, {
    kind: 'ai_upstream',
    table: 'ai_upstreams',
    lock: lockAiUpstream,
    async check(trx, { id, name }) {
      const models = await modelsOfUpstream(trx, id, MAX_NAMED);
      if (models.length > 0)
        throw new Problem('IN_USE', {
          message: `Models use “${name}”: ${models.join(', ')}.`,
          suggestions: ['Remove it from its models first, or disable it.'],
        });
    },
    kept: ['name', 'url', 'state'],
  });
