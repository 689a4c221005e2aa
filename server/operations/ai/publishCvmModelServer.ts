import { upstreamName } from '../../domain/ai/upstreamName';
import { namingConflict } from '../core/admin/change';
import { checkTexts } from '../core/text';
import type { Handler } from '../types';
import { addModel, MODEL_NAMES, modelValues } from './admin/model';
import { sealedKey } from './admin/upstream';
import { checkServer, modelServerOf, putUpstream, unusedUpstream } from './modelServer';

const NAMES = {
  ...MODEL_NAMES,
  ai_upstreams_name_key: {
    field: 'upstream',
    message: 'Another AI upstream already uses the name that this app’s upstream would get.',
  },
};

/** The upstream belongs to the platform, not the app: it stays until an administrator removes it. */
const PLATFORM = { team_id: null, app_id: null };

export const publishCvmModelServer: Handler<'publishCvmModelServer'> = async ({ path, body, ctx }) => {
  checkTexts(body, ['name', 'served_name']);
  const { port, served_name, api_key, ...model } = body;
  const values = modelValues(model);
  const sealed_api_key = sealedKey(ctx, api_key);
  const { app, url } = await modelServerOf(ctx, path.cvm_id, port);
  await unusedUpstream(ctx.db, { ...PLATFORM, url });
  await checkServer(ctx, { url, api_key }, served_name);
  return namingConflict(NAMES, () =>
    ctx.write(async (write) => {
      const name = upstreamName(app.name, app.app_id, port);
      const upstream_id = await putUpstream(write, {
        ...PLATFORM,
        name,
        url,
        sealed_api_key,
      });
      return addModel(write, values, [{ upstream_id, model: served_name }]);
    }),
  );
};
