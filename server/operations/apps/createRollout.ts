import { Problem } from '../../domain/core/problem';
import { checkTexts } from '../core/text';
import { analyzeAhead } from '../cvms/deploy/checkedCompose';
import { confirmationIn, gated } from '../cvms/onChain/gate';
import { nextRevision } from '../cvms/settings/update';
import type { Handler } from '../types';
import { appOf } from './appId';
import { beginRollout } from './beginRollout';
import { rolloutReply } from './rollout';

export const createRollout: Handler<'createRollout'> = async ({ path, body, ctx }) => {
  checkTexts(body, ['reason']);
  const { app } = await appOf(ctx, path.app_id);
  const {
    base_revision_id,
    reason,
    settle_seconds,
    health_timeout_seconds,
    shutdown_timeout,
    allow_force_stop,
    ...change
  } = body;
  if (Object.keys(change).length === 0)
    throw new Problem('INVALID_REQUEST', {
      message: 'The request changes nothing.',
      suggestions: ['Send at least one field to change.'],
    });
  await analyzeAhead(ctx, change.docker_compose_file);
  const rollout_id = await gated(ctx, confirmationIn(ctx), (gate) =>
    ctx.write((write) =>
      beginRollout(ctx, write, {
        app,
        gate,
        base_revision_id,
        reason,
        pace: {
          settle_seconds,
          health_timeout_seconds,
          shutdown_timeout,
          allow_force_stop,
        },
        payload: async (base) => {
          const { allowed_envs_changed: _, ...payload } = await nextRevision(ctx, write, base, {
            ...change,
            reason,
          });
          // The app's other CVMs may have another image.
          return change.image === undefined ? payload : { os_image: base.cvm.os_image, ...payload };
        },
      }),
    ),
  );
  return { status: 202, body: await rolloutReply(ctx, app, rollout_id) };
};
