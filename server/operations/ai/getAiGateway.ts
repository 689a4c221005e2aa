import { connectedAiGateways } from '../../db/ai/aiGateways';
import { offeredModels } from '../../db/ai/aiModels';
import { aiModelOut } from '../../domain/ai/aiResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const getAiGateway: Handler<'getAiGateway'> = async ({ ctx }) => {
  const [models, others] = await Promise.all([
    offeredModels(ctx.db, teamOf(ctx).id),
    connectedAiGateways(ctx.db),
  ]);
  return {
    status: 200,
    body: {
      base_url: new URL('/v1', ctx.config.publicUrl).href,
      is_in_tee: false,
      others: others.map(({ name, url }) => ({
        name,
        base_url: `${url}/v1`,
        report_url: `${url}/v1/aci/attestation`,
      })),
      models: models.map(aiModelOut),
    },
  };
};
