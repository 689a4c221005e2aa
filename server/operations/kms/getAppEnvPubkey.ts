import { envPubkey } from './envPubkey';
import type { Handler } from '../types';
import { kmsOfPath } from './getKms';

export const getAppEnvPubkey: Handler<'getAppEnvPubkey'> = async ({ path, ctx }) => ({
  status: 200,
  body: await envPubkey(ctx, await kmsOfPath(ctx, path.kms), path.app_id),
});
