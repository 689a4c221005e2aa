import { connectedAiGateways } from '../../db/ai/aiGateways';
import { offeredModels } from '../../db/ai/aiModels';
import { findTeamById } from '../../db/teams/teams';
import { aiModelOut } from '../../domain/ai/aiResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const getAiGateway: Handler<'getAiGateway'> = async ({ ctx }) => {
  const team_id = teamOf(ctx).id;
  const [models, others, team] = await Promise.all([
    offeredModels(ctx.db, team_id),
    connectedAiGateways(ctx.db),
    findTeamById(ctx.db, team_id),
  ]);
  return {
    status: 200,
    body: {
      base_url: new URL('/v1', ctx.config.publicUrl).href,
      is_enabled: team?.confidential_models_enabled === true,
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
