import type { IsAllowed } from '../../../generated/api/types.gen';
import { deviceOfTeepod, knownHashes } from '../../db/isAllowed';
import { cvmsOfApps } from '../../db/cvmQueries';
import { findCvm } from '../../db/cvmLookup';
import { teamOf } from '../shared/caller';
import type { Context, Handler } from '../types';
import { appOf } from './appId';

interface Question {
  /** The row's number. */
  app: number;
  compose_hash: string;
  device_id: string;
  cvm_id?: number;
}

const bare = (hash: string) => hash.toLowerCase().replace(/^(0x|sha256:)/, '');

/**
 * What the centralised key management service does: it gives keys to every revision of an app that this server made, on
 * every device. There is no contract to ask.
 */
function decide({ compose_hash, device_id, cvm_id }: Question, known: boolean): IsAllowed {
  return {
    ...(cvm_id === undefined ? {} : { cvm_id }),
    app_contract_address: '',
    compose_hash,
    device_id,
    compose_hash_allowed: known,
    allow_any_device: true,
    device_id_allowed: true,
    is_allowed: known,
    error: known ? null : 'No revision of the app has this compose hash.',
  };
}

async function deviceOf(
  ctx: Context,
  asked: { node_id?: number; device_id?: string },
  own = '',
): Promise<string> {
  if (asked.device_id !== undefined) return bare(asked.device_id);
  if (asked.node_id === undefined) return own;
  return (await deviceOfTeepod(ctx.db, teamOf(ctx).id, asked.node_id)) ?? '';
}

export const checkAppIsAllowed: Handler<'checkAppIsAllowed'> = async ({ path, body, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const compose_hash = bare(body.compose_hash);
  const known = await knownHashes(ctx.db, app.id, [compose_hash]);
  const question = { app: app.id, compose_hash, device_id: await deviceOf(ctx, body) };
  return { status: 200, body: decide(question, known.has(compose_hash)) };
};

export const checkCvmIsAllowed: Handler<'checkCvmIsAllowed'> = async ({ path, body, ctx }) => {
  const { cvm, app, revision, node } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const compose_hash = bare(body.compose_hash ?? revision.compose_hash);
  const known = await knownHashes(ctx.db, app.id, [compose_hash]);
  const device_id = await deviceOf(ctx, body, node.device_id ?? '');
  return {
    status: 200,
    body: decide({ app: app.id, compose_hash, device_id, cvm_id: cvm.id }, known.has(compose_hash)),
  };
};

const MOST = 1000;

export const checkAppCvmsIsAllowed: Handler<'checkAppCvmsIsAllowed'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const rows = (await cvmsOfApps(ctx.db, teamOf(ctx).id, [app.id], MOST)).get(app.id) ?? [];
  const known = await knownHashes(
    ctx.db,
    app.id,
    rows.map(({ revision }) => revision.compose_hash),
  );
  const results = rows.map(({ cvm, revision, node }) =>
    decide(
      { app: app.id, compose_hash: revision.compose_hash, device_id: node.device_id ?? '', cvm_id: cvm.id },
      known.has(revision.compose_hash),
    ),
  );
  const allowed_count = results.filter((one) => one.is_allowed).length;
  return {
    status: 200,
    body: {
      is_onchain: false,
      results,
      total: results.length,
      allowed_count,
      denied_count: results.length - allowed_count,
      error_count: 0,
      skipped_cvm_ids: [],
    },
  };
};

/** Without a contract there is no list: every device of this server may. */
export const getAppDeviceAllowlist: Handler<'getAppDeviceAllowlist'> = async ({ path, ctx }) => {
  await appOf(ctx, path.app_id);
  return {
    status: 200,
    body: {
      is_onchain_kms: false,
      allow_any_device: true,
      chain_id: null,
      app_contract_address: null,
      devices: [],
    },
  };
};
