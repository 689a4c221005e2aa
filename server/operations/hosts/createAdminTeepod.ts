import { exists, findTeepod } from '../../db/hosts/adminTeepods';
import { NODE_STATE } from '../../db/hosts/takesCvms';
import { keysOf, etagOf, namingConflict } from '../core/admin/change';
import { invalid } from '../core/invalid';
import { addressKey } from '../../domain/hosts/addressKey';
import { adminTeepodOut } from '../../domain/hosts/adminHostResponse';
import { Problem } from '../../domain/core/problem';
import { syncTeepod } from '../../jobs/hosts/syncTeepod';
import { refuseHostOfOther } from '../core/admin/teepodAddressCheck';
import type { Context, Handler } from '../types';
import { MASK, nextCredential } from './credential';
import { probeHost, requireOwnGateway } from './probe';

export const TEEPOD_NAMES = {
  teepods_name_key: { field: 'name', message: 'A teepod with this name already exists.' },
  // Each row would treat the other's VMs as its own.
  teepods_address_key: { field: 'url', message: 'A teepod with this address already exists.' },
};

/** The host is queried before the transaction, so that a slow one holds no locks. */
export const createAdminTeepod: Handler<'createAdminTeepod'> = async ({ body, ctx }) => {
  const { credential: _clear, ...given } = body;
  await checkReferences(ctx, body);
  await refuseBuiltIn(ctx, body.url);
  const held = nextCredential(ctx, { credential_kind: 'none', sealed_credential: null }, body);
  const probe = await probeHost(ctx, { url: body.url, kind: 'dstack_vmm', ...held });
  requireOwnGateway(body.gateway_base_domain ?? undefined, probe);
  await refuseHostOfOther(ctx, probe.vm_ids, null);
  const now = new Date();
  const reply = await namingConflict(TEEPOD_NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      const row = await trx
        .insertInto('teepods')
        .values({
          ...given,
          ...held,
          kind: 'dstack_vmm',
          address_key: addressKey(given.url),
          gateway_base_domain: given.gateway_base_domain ?? probe.gateway_base_domain,
          max_cvms: given.max_cvms ?? probe.capacity?.max_cvms ?? 0,
          max_vcpu: given.max_vcpu ?? probe.capacity?.max_vcpu ?? 0,
          max_memory_mb: given.max_memory_mb ?? probe.capacity?.max_memory_mb ?? 0,
          max_disk_gb: given.max_disk_gb ?? 0,
          host_cvms: probe.capacity?.max_cvms ?? null,
          host_vcpu: probe.capacity?.max_vcpu ?? null,
          host_memory_mb: probe.capacity?.max_memory_mb ?? null,
          reachable: probe.reachable,
          reachable_since: probe.reachable ? now : null,
          last_seen_at: probe.reachable ? now : null,
          last_error: probe.last_error,
          version: probe.version,
          warnings: probe.warnings,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await audit({
        action: 'teepod.create',
        target_kind: 'teepod',
        target_id: String(row.id),
        after: {
          ...keysOf(row, [...Object.keys(given), 'credential_kind']),
          ...(row.sealed_credential === null ? {} : { credential: MASK }),
        },
      });
      const used = { used_cvms: 0, used_vcpu: 0, used_memory_mb: 0, used_disk_gb: 0 };
      const recycled = { recycled_cvms: 0, recycled_disk_gb: 0 };
      // Its GPUs are queried once the host exists.
      const none = { gpu_model: null, gpu_count: 0, used_gpus: 0 };
      const { node_state } = await trx
        .selectFrom('nodes as n')
        .select(NODE_STATE.as('node_state'))
        .where('n.id', '=', row.node_id)
        .executeTakeFirstOrThrow();
      const has_credential = row.sealed_credential !== null;
      return {
        status: 201,
        headers: { ETag: etagOf('teepods', row.id, row.updated_at) },
        body: adminTeepodOut({
          ...row,
          ...used,
          ...recycled,
          ...none,
          node_state,
          drain_id: null,
          has_credential,
          os_images: probe.images,
        }),
      } as const;
    }),
  );
  if (probe.reachable) await learn(ctx, reply.body.id);
  return reply;
};

/**
 * Learns the images of a reachable host. If that fails the host counts as not reached, and the reconciler
 * retries in its next round, as for every host that comes back.
 */
export async function learn(ctx: Context, teepod_id: number): Promise<void> {
  const row = await findTeepod(ctx.db, teepod_id);
  if (!row) return;
  try {
    await syncTeepod(ctx.db, ctx.vmm.get(row), row);
  } catch (error) {
    ctx.log.warn({ err: error, teepod: row.name }, "couldn't read a host's images");
    await ctx.db.updateTable('teepods').set({ reachable: false }).where('id', '=', teepod_id).execute();
  }
}

/** The built-in teepod's address changes with its port, so it is compared instead of being stored. */
export async function refuseBuiltIn(ctx: Pick<Context, 'db'>, url: string): Promise<void> {
  const builtIn = await ctx.db.selectFrom('teepods').select('url').where('kind', '=', 'local').execute();
  if (builtIn.some((row) => addressKey(row.url) === addressKey(url)))
    throw new Problem('CONFLICT', {
      message: 'This is the address of the built-in teepod.',
      details: [{ field: 'url', message: 'The built-in teepod uses this address.' }],
      suggestions: ["Enter another host's address."],
    });
}

export async function checkReferences(
  ctx: Pick<Context, 'db'>,
  given: { node_id?: number | undefined; kms_id?: number | null | undefined },
): Promise<void> {
  if (given.node_id !== undefined && !(await exists(ctx.db, 'nodes', given.node_id)))
    throw invalid('node_id', `There is no node ${given.node_id}.`);
  if (typeof given.kms_id === 'number' && !(await exists(ctx.db, 'kms', given.kms_id)))
    throw invalid('kms_id', `There is no KMS ${given.kms_id}.`);
}
