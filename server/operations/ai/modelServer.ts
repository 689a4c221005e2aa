import type { AiUpstreamRow } from '../../db/ai/aiTables';
import { upstreamsAt, type UpstreamAt } from '../../db/ai/aiUpstreams';
import type { Db, Tx } from '../../db/core/client';
import { findCvm } from '../../db/cvms/cvmLookup';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { Problem } from '../../domain/core/problem';
import { MASK } from '../../domain/core/sealedValue';
import { nextVersion } from '../core/admin/change';
import { loadFacts } from '../core/analyzer';
import { teamOf } from '../core/caller';
import { publicUrl } from '../network/reachability';
import type { Context, Write } from '../types';
import { checkedUrl } from './admin/upstream';
import { invalid } from '../core/invalid';

/** Time for one token, which waits for the server's other requests. */
const TOKEN_MS = 30_000;
const TIMEOUT_SECONDS = 300;

/**
 * Returns the model server at a port of the team's CVM, with its address as an upstream.
 * @throws CVM_NOT_FOUND, AMBIGUOUS_CVM, WRONG_STATE, VALIDATION_FAILED
 */
export async function modelServerOf(
  ctx: Context,
  cvm_id: string,
  port: number,
): Promise<JoinedCvm & { url: string }> {
  const row = await findCvm(ctx.db, teamOf(ctx).id, cvm_id);
  if (row.cvm.status !== 'running')
    throw new Problem('WRONG_STATE', {
      message: `The CVM is ${row.cvm.status}, so its model server can't be checked.`,
      suggestions: ['Start the CVM first.'],
    });
  await loadFacts(ctx, row.revision);
  // The app's address, which stays when its CVM is replaced.
  const address = publicUrl(row, { port, form: 'http', of: 'app' });
  return { ...row, url: checkedUrl(new URL('/v1', address).href) };
}

/** @throws VALIDATION_FAILED for a refused key, UPSTREAM_UNREACHABLE for a server that doesn't answer for the model */
export async function checkServer(
  ctx: Context,
  server: { url: string; api_key: string },
  served_name: string,
): Promise<void> {
  const fault = await ctx.ai.tryModel({ ...server, timeout_ms: TOKEN_MS }, served_name, ctx.signal);
  if (!fault) return;
  const { is_key, message } = fault;
  throw is_key
    ? invalid('api_key', message)
    : new Problem('UPSTREAM_UNREACHABLE', {
        message,
        suggestions: ['Check the logs of the model server, then try again.'],
        is_external: true,
      });
}

/** An upstream's address and owner: a team, or null for the platform. */
type Owned = Pick<AiUpstreamRow, 'url' | 'team_id'>;

/**
 * Returns the owner's upstream at the address; null for none. @throws IN_USE if a model uses it, if an
 * administrator disabled it, or if it must not get a key from here
 */
export async function unusedUpstream(
  db: Db | Tx,
  { url, team_id }: Owned,
  lock = false,
): Promise<UpstreamAt | null> {
  const found = await upstreamsAt(db, team_id, url, lock);
  const used = found.find(({ models }) => models.length > 0);
  if (used)
    throw new Problem('IN_USE', {
      message: `The API already serves this model server, as ${used.models.join(', ')}.`,
      suggestions: [
        team_id === null ? 'Change the model in the admin area.' : 'Change or withdraw that model first.',
      ],
    });
  if (team_id !== null && found.some(({ state }) => state === 'disabled'))
    throw new Problem('IN_USE', {
      message: 'An administrator of this server disabled this model server.',
      suggestions: ['Ask them to enable or delete its AI upstream.'],
    });
  // This server can't verify the evidence, so it must not send the key.
  const proven = found.find(({ evidence_required }) => evidence_required);
  if (proven)
    throw new Problem('IN_USE', {
      message: `The AI upstream “${proven.name}” has this address and requires evidence.`,
      suggestions: ['Add the model to that upstream in the admin area.'],
    });
  return found[0] ?? null;
}

/** Adds the upstream, or updates the key of the one at its address. It has just passed its check. @returns its ID */
export async function putUpstream(
  { trx, audit }: Write,
  upstream: Owned & Pick<AiUpstreamRow, 'app_id' | 'name' | 'sealed_api_key'>,
): Promise<number> {
  const { name, url, team_id, sealed_api_key } = upstream;
  const old = await unusedUpstream(trx, upstream, true);
  const checked = {
    sealed_api_key,
    state: 'active',
    health: 'ok',
    last_error: null,
    checked_at: new Date(),
  } as const;
  const entry = { target_kind: 'ai_upstream', team_id };
  if (old) {
    await trx
      .updateTable('ai_upstreams')
      .set({ ...checked, updated_at: nextVersion(old) })
      .where('id', '=', old.id)
      .execute();
    await audit({
      ...entry,
      action: 'ai_upstream.update',
      target_id: String(old.id),
      before: { state: old.state, api_key: old.sealed_api_key === null ? null : MASK },
      after: { state: 'active', api_key: MASK },
    });
    return old.id;
  }
  const { id } = await trx
    .insertInto('ai_upstreams')
    .values({ ...upstream, timeout_seconds: TIMEOUT_SECONDS, ...checked })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit({
    ...entry,
    action: 'ai_upstream.create',
    target_id: String(id),
    after: { name, url, state: 'active', api_key: MASK },
  });
  return id;
}
