import { adminOne } from '../../db/core/adminList';
import { adminTeepods, lockTeepod, type AdminTeepodRow } from '../../db/hosts/adminTeepods';
import type { Tx } from '../../db/core/client';
import { liveDrain } from '../../db/hosts/drains';
import { ANSWERED } from '../../db/hosts/hostShards';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { Problem } from '../../domain/core/problem';
import { adminTeepodOut } from '../../domain/hosts/adminHostResponse';
import type { Call, Context, Handler } from '../types';
import { changesOf, checkIfMatch, etagOf, keysOf, namingConflict, nextVersion } from '../core/admin/change';
import { invalid } from '../core/invalid';
import { addressKey } from '../../domain/hosts/addressKey';
import { checkReferences, learn, refuseBuiltIn, TEEPOD_NAMES } from './createAdminTeepod';
import { checkMoved, MASK, nextCredential } from './credential';
import { probeHost, requireOwnGateway, type Probe } from './probe';
import { requireOwnCvms, refuseHostOfOther } from '../core/admin/teepodAddressCheck';

/** The built-in teepod sets these at every start, so a change here wouldn't last. */
const OF_ITSELF = [
  'name',
  'node_id',
  'url',
  'credential_kind',
  'gateway_base_domain',
  'kms_id',
  'tee',
] as const;

type Body = Call<'updateAdminTeepod'>['body'];

export const updateAdminTeepod: Handler<'updateAdminTeepod'> = async ({ path, body, ctx }) => {
  const missing = () => new Problem('NOT_FOUND', { message: `There is no teepod ${path.id}.` });
  const found = await adminOne(ctx.db, adminTeepods, path.id);
  if (!found) throw missing();
  const etag = etagOf('teepods', found.id, found.updated_at);
  checkIfMatch(ctx, etag);
  refuseLocal(found, body);
  const patch = patchOf(ctx, found, body);
  if (Object.keys(changesOf(found, patch)).length === 0)
    return { status: 200, headers: { ETag: etag }, body: adminTeepodOut(found) };
  await checkReferences(ctx, body);
  if (found.kind !== 'local' && patch.url !== undefined) await refuseBuiltIn(ctx, patch.url);
  const probe = await probeIfMoved(ctx, found, patch);
  if (probe) requireOwnGateway(changesOf(found, patch).gateway_base_domain, probe);
  if (probe) await refuseHostOfOther(ctx, probe.vm_ids, found.id);
  if (probe?.reachable && patch.url !== undefined && patch.url !== found.url)
    await requireOwnCvms(
      ctx,
      { ...found, ...changesOf(found, { state: patch.state }) },
      endpointOf(found, patch),
    );
  const version = await namingConflict(TEEPOD_NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      const before = await lockTeepod(trx, path.id);
      if (!before) throw missing();
      checkIfMatch(ctx, etagOf('teepods', before.id, before.updated_at));
      checkMoved(before, { ...body, kept: { ...before, ...changesOf(before, patch) } });
      const changes = changesOf(before, patch);
      if (changes.state !== undefined) await checkState(trx, before, changes.state);
      const row = await trx
        .updateTable('teepods')
        .set({
          ...changes,
          ...(changes.url === undefined ? {} : { address_key: addressKey(changes.url) }),
          ...(probe ? observed(before, probe) : {}),
          // Queried in the next round, however long it was unresponsive before the change.
          ...ANSWERED,
          updated_at: nextVersion(before),
        })
        .where('id', '=', path.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      const keys = Object.keys(changes);
      await audit({
        action: 'teepod.update',
        target_kind: 'teepod',
        target_id: String(row.id),
        before: masked(keysOf(before, keys)),
        after: masked(keysOf(row, keys)),
      });
      return row.updated_at;
    }),
  );
  if (probe?.reachable) await learn(ctx, path.id);
  const now = await adminOne(ctx.db, adminTeepods, path.id);
  if (!now) throw missing();
  return { status: 200, headers: { ETag: etagOf('teepods', path.id, version) }, body: adminTeepodOut(now) };
};

/**
 * A drain decides what happens to the CVMs and when it ends; setting the state alone would leave it waiting or work
 * against it.
 */
async function checkState(trx: Tx, teepod: TeepodRow, state: TeepodRow['state']): Promise<void> {
  const drain = await liveDrain(trx, teepod.id);
  if (drain)
    throw new Problem('CONFLICT', {
      message: `${teepod.name} is being drained (drain ${drain.id}).`,
      suggestions: ['Cancel the drain first.'],
    });
  if (state === 'draining')
    throw invalid(
      'state',
      'Drain the teepod instead. Its CVMs are moved or stopped, and their teams are notified.',
    );
}

function refuseLocal(row: AdminTeepodRow, body: Body): void {
  if (row.kind !== 'local') return;
  const message = 'The built-in teepod sets this itself. Its state, capacity and visibility can be changed.';
  for (const field of OF_ITSELF)
    if (body[field] !== undefined && body[field] !== row[field]) throw invalid(field, message);
  if (typeof body.credential === 'string' && body.credential !== '') throw invalid('credential', message);
}

/** Returns the body as columns: the credential sealed, or left out if the body doesn't mention it. */
function patchOf(ctx: Context, row: AdminTeepodRow, { credential, ...rest }: Body) {
  const speaks = credential !== undefined || rest.credential_kind !== undefined;
  const kept = speaks && row.kind !== 'local' ? nextCredential(ctx, row, { ...rest, credential }) : null;
  checkMoved(row, { url: rest.url, credential, kept: kept ?? row });
  return kept ? { ...rest, ...kept } : rest;
}

/** Queries the host before its address, its credential or the domain of its gateway changes. */
async function probeIfMoved(
  ctx: Context,
  row: AdminTeepodRow,
  patch: {
    [K in 'url' | 'credential_kind' | 'sealed_credential' | 'gateway_base_domain']?: TeepodRow[K] | undefined;
  },
): Promise<Probe | null> {
  const moved = changesOf(row, {
    url: patch.url,
    credential_kind: patch.credential_kind,
    sealed_credential: patch.sealed_credential,
    gateway_base_domain: patch.gateway_base_domain,
  });
  return Object.keys(moved).length === 0 ? null : probeHost(ctx, endpointOf(row, moved));
}

function endpointOf(
  row: AdminTeepodRow,
  change: { [K in 'url' | 'credential_kind' | 'sealed_credential']?: TeepodRow[K] | undefined },
) {
  const { kind } = row;
  const { url = row.url, credential_kind = row.credential_kind } = change;
  const { sealed_credential = row.sealed_credential } = change;
  return { url, kind, credential_kind, sealed_credential };
}

function observed(row: TeepodRow, probe: Probe) {
  const now = new Date();
  return {
    reachable: probe.reachable,
    reachable_since: probe.reachable ? (row.reachable ? row.reachable_since : now) : null,
    last_error: probe.last_error,
    ...(probe.reachable ? { last_seen_at: now, version: probe.version, warnings: probe.warnings } : {}),
  };
}

function masked(keys: ReturnType<typeof keysOf>) {
  const { sealed_credential, ...rest } = keys;
  if (sealed_credential === undefined) return rest;
  return { ...rest, credential: sealed_credential === null ? null : MASK };
}
