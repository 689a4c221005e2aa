import { countTeamModels, insertTeamModel } from '../../db/ai/teamModels';
import { ECHO } from '../../domain/ai/models';
import { teamModelOut } from '../../domain/ai/teamModelResponse';
import { upstreamName } from '../../domain/ai/upstreamName';
import { Problem } from '../../domain/core/problem';
import { publicId } from '../../domain/core/publicId';
import { namingConflict } from '../core/admin/change';
import { invalid } from '../core/invalid';
import { holdTeam, teamOf } from '../core/caller';
import { InProgress } from '../core/inProgress';
import { checkTexts } from '../core/text';
import { checkedName } from '../teams/names';
import type { Handler } from '../types';
import { sealedKey } from './admin/upstream';
import { checkServer, modelServerOf, putUpstream, unusedUpstream } from './modelServer';
import { auditOf, auditView, holdTeamModel } from './teamModel';

const MAX_MODELS = 50;

const NAMES = {
  ai_models_model_key: { field: 'short_name', message: 'A model with this ID already exists.' },
  ai_upstreams_name_key: {
    field: 'upstream',
    message: 'Another AI upstream already uses the name that this app’s upstream would get.',
  },
};

const requests = new InProgress(
  { team: 4, all: 32 },
  'Too many model servers are being checked. Try again in 10 s.',
);

export const publishTeamAiModel: Handler<'publishTeamAiModel'> = async ({ path, body, ctx }) => {
  const { port, served_name, api_key, short_name, context_length } = body;
  const name = checkedName(body.name);
  checkTexts(body, ['description', 'served_name']);
  const sealed_api_key = sealedKey(ctx, api_key);
  const { app, url } = await modelServerOf(ctx, path.cvm_id, port);
  const { id: team_id } = teamOf(ctx);
  await unusedUpstream(ctx.db, { team_id, url });
  const leave = requests.enter(team_id);
  try {
    await checkServer(ctx, { url, api_key }, served_name);
  } finally {
    leave();
  }
  return namingConflict(NAMES, () =>
    ctx.write(async (write) => {
      const { trx, audit } = write;
      // Locked, so that concurrent requests count each other's models.
      const { team } = await holdTeam(trx, ctx, 'ai.write');
      if ((await countTeamModels(trx, team.id)) >= MAX_MODELS)
        throw new Problem('AI_MODEL_LIMIT', {
          message: `${team.name} has reached the limit of ${MAX_MODELS} AI models.`,
        });
      const model = `${team.slug}/${short_name}`;
      if (model === ECHO.id) throw invalid('short_name', 'The built-in model has this ID.');
      const upstream_id = await putUpstream(write, {
        name: upstreamName(app.name, app.app_id, port, '-team'),
        url,
        team_id: team.id,
        app_id: app.id,
        sealed_api_key,
      });
      const public_id = publicId('aim');
      await insertTeamModel(trx, {
        public_id,
        team_id: team.id,
        model,
        name,
        description: body.description ?? '',
        context_length,
        endpoints: body.endpoints ?? ['chat.completions'],
        input_modalities: body.input_modalities ?? [],
        output_modalities: body.output_modalities ?? [],
        upstream_id,
        served_name,
      });
      const row = await holdTeamModel(trx, ctx, public_id);
      await audit({ ...auditOf(row, 'create'), after: auditView(row) });
      const made = teamModelOut(row);
      return { status: 201, headers: { ETag: made.etag }, body: made } as const;
    }),
  );
};
