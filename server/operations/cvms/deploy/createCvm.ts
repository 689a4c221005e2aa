import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { CreateCvm } from '../../../../generated/api/types.gen';
import { lockProvision } from '../../../db/apps/provisions';
import { lockTeamToDeploy } from '../../../db/billing/budgets';
import { typeNamed } from '../../../db/catalog/catalog';
import { insertHold } from '../../../db/billing/holds';
import { newCvmRate } from '../../../db/billing/orders/cover';
import { brokenConstraint, prepared } from '../../../db/core/client';
import { findCvm } from '../../../db/cvms/cvmLookup';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import { addEvent, beginOperation } from '../../../db/activity/operations';
import { reserve } from '../../../db/hosts/reservations';
import { findKms } from '../../../db/kms/kms';
import type { ProvisionRow } from '../../../db/apps/provisionsTable';
import { ratesOf } from '../../../domain/billing/pricing';
import { utcMinute } from '../../../domain/core/dates';
import { Problem } from '../../../domain/core/problem';
import { publicId } from '../../../domain/core/publicId';
import { scheduleWarning } from '../../../domain/core/schedule';
import { toCommitVm } from '../../../domain/cvms/vmResponse';
import type { Context, Handler, Write } from '../../types';
import { checkedEnv } from './encryptedEnv';
import { approveOnChain, takenByOther, type OnChainApproval } from './onChainApproval';
import { quotaRefusal } from './plan';
import { duplicateName } from './provisionCvm';
import { requireInUse, requireSameOffer } from './provisionChecks';
import { teamOf } from '../../core/caller';
import { claimFunds } from '../../core/funds';
import { requireVerified } from '../../core/requireVerified';
import { timeToCome } from '../settings/schedule';
import { toJson } from '../../../db/core/json';

/**
 * Step two of a deployment: creates app, revision, CVM, operation and job in one transaction. Committing the
 * same app_id and compose_hash again returns the existing CVM.
 * @param also performs additional writes in the same transaction, once the CVM exists
 */
export async function createProvisioned(
  ctx: Context,
  body: CreateCvm,
  also: (write: Write) => Promise<void> = async () => undefined,
) {
  requireVerified(ctx);
  const team = teamOf(ctx);
  const app_id = body.app_id.toLowerCase().replace(/^(app_|0x)/, '');
  const compose_hash = body.compose_hash.toLowerCase().replace(/^(0x|sha256:)/, '');
  const encrypted_env = checkedEnv(body.encrypted_env);
  const { scheduled_delete_at: time } = body;
  const delete_at = time === undefined ? null : timeToCome(time, 'scheduled_delete_at');
  // Outside the transaction, because the chain may be slow.
  const approval = await approveOnChain(ctx, body, app_id, compose_hash);
  try {
    return await ctx.write(async (write) => {
      const { trx, audit } = write;
      if (approval) await nameProvision(write, approval, app_id);
      const provision = await lockProvision(trx, team.id, app_id);
      if (!provision || provision.expires_at < new Date()) {
        throw new Problem('PROVISION_EXPIRED', {
          message: 'This team has no open reservation for this app_id.',
          suggestions: ['Provision again and commit the result.'],
        });
      }
      if (provision.compose_hash !== compose_hash) {
        throw new Problem('CVM_APP_ID_CONFLICT', {
          message: 'This app_id was provisioned with another compose hash.',
          details: [{ field: 'compose_hash', value: provision.compose_hash }],
        });
      }
      await requireSameKms(write, body.kms_id, provision);
      let vm_uuid: string;
      if (!provision.committed_at) {
        requireInUse(provision);
        const made = { ...provision, app_id, deployer_address: approval?.deployer_address ?? null };
        const cvm = await commit(ctx, write, made, { encrypted_env, delete_at });
        ({ vm_uuid } = cvm);
        await audit({
          action: 'cvm.create',
          target_kind: 'cvm',
          target_id: cvm.public_id,
          after: {
            name: provision.name,
            app_id,
            compose_hash,
            ...(approval ? { deployer_address: approval.deployer_address } : {}),
            ...(delete_at ? { scheduled_delete_at: delete_at.toISOString() } : {}),
          },
        });
      } else {
        await audit({ action: 'cvm.create.repeated', target_kind: 'app', target_id: app_id });
        vm_uuid = await firstCvm(trx, team.id, app_id);
      }
      const row = await findCvm(trx, team.id, vm_uuid);
      if (!row.latest_operation) throw new Error(`CVM ${row.cvm.public_id} has no operation`);
      await also(write);
      return { status: 200 as const, body: toCommitVm(row, row.latest_operation) };
    });
  } catch (error) {
    const broken = brokenConstraint(error);
    // Another team has committed the same contract.
    if (broken === 'provisions_app_id_key' || broken === 'apps_app_id_key') throw takenByOther(app_id, error);
    if (broken !== 'cvms_team_name') throw error;
    const { name } = await ctx.db
      .selectFrom('provisions')
      .select('name')
      .where('app_id', '=', app_id)
      .where('team_id', '=', team.id)
      .executeTakeFirstOrThrow();
    throw duplicateName(name);
  }
}

export const createCvm: Handler<'createCvm'> = ({ body, ctx }) => createProvisioned(ctx, body);

/** Returns the UUID of an app's first CVM: it may have replicas by now. @throws PROVISION_EXPIRED if it was deleted */
async function firstCvm(trx: Write['trx'], team_id: number, app_id: string): Promise<string> {
  const found = await trx
    .selectFrom('cvms')
    .innerJoin('apps', 'apps.id', 'cvms.app_id')
    .select('cvms.vm_uuid')
    .where('apps.app_id', '=', app_id)
    .where('cvms.team_id', '=', team_id)
    .where('cvms.deleted_at', 'is', null)
    .orderBy('cvms.id')
    .executeTakeFirst();
  if (!found)
    throw new Problem('PROVISION_EXPIRED', { message: 'The CVM of this provision has been deleted.' });
  return found.vm_uuid;
}

/**
 * The provision's KMS is used; naming another one implies different rules for who can change the app, so it's
 * refused.
 */
async function requireSameKms(
  { trx }: Write,
  named: string | undefined,
  { kms_id }: Pick<ProvisionRow, 'kms_id'>,
): Promise<void> {
  if (named === undefined || kms_id === null) return;
  const [own, other] = [await findKms(trx, String(kms_id)), await findKms(trx, named)];
  // KMSs of one contract are interchangeable.
  if (own?.first_public_id === other?.first_public_id) return;
  throw new Problem('INVALID_REQUEST', {
    message: `The app was provisioned with the key management service “${own?.slug}”, but kms_id names a different one.`,
    details: [{ field: 'kms_id', value: named }],
    suggestions: ['Leave kms_id out, or provision again with that key management service.'],
  });
}

/** Sets the contract's address as the provision's app ID, unless another request was faster. */
async function nameProvision(
  { trx }: Write,
  { provision_id, env_pubkey }: OnChainApproval,
  app_id: string,
): Promise<void> {
  await trx
    .updateTable('provisions')
    .set({ app_id, env_pubkey })
    .where('id', '=', provision_id)
    .where('app_id', 'is', null)
    .execute();
}

/** A provision with the final ID of its app. */
type Committed = ProvisionRow & { app_id: string; deployer_address: string | null };

/** Creates the app with its first revision. */
function insertApp(
  trx: Write['trx'],
  provision: Committed,
  { user_id, correlation_id }: { user_id: number | null; correlation_id: string },
): Promise<Pick<CvmRow, 'app_id' | 'revision_id'>> {
  return trx
    .with('app', (cte) =>
      cte
        .insertInto('apps')
        .values({
          public_id: publicId('prj'),
          app_id: provision.app_id,
          team_id: provision.team_id,
          kms_id: provision.kms_id,
          name: provision.name,
          nonce: provision.nonce,
          deployer_address: provision.deployer_address,
          created_by: user_id,
        })
        .returning('id'),
    )
    .with('revision', (cte) =>
      cte
        .insertInto('revisions')
        .values(({ selectFrom }) => ({
          public_id: publicId('rev'),
          app_id: selectFrom('app').select('app.id'),
          number: 1,
          app_compose: provision.app_compose,
          compose_hash: provision.compose_hash,
          docker_compose_file: provision.docker_compose_file,
          pre_launch_script: provision.pre_launch_script,
          allowed_envs: provision.allowed_envs,
          os_image: provision.os_image,
          operation_type: 'deploy',
          correlation_id,
          template_version_id: provision.template_version_id,
          created_by: user_id,
        }))
        .returning(['id', 'app_id']),
    )
    .selectFrom('revision')
    .select(['app_id', 'id as revision_id'])
    .modifyEnd(prepared)
    .executeTakeFirstOrThrow();
}

async function commit(
  ctx: Context,
  { trx }: Write,
  provision: Committed,
  { encrypted_env, delete_at }: { encrypted_env: string | null; delete_at: Date | null },
): Promise<Pick<CvmRow, 'public_id' | 'vm_uuid'>> {
  const user_id = ctx.caller.user?.id ?? null;
  const correlation_id = randomUUID();
  const budgets = await lockTeamToDeploy(trx, provision.team_id);
  const ids = await insertApp(trx, provision, { user_id, correlation_id });
  const size = { vcpu: provision.vcpu, memory_mb: provision.memory_mb, disk_gb: provision.disk_gb };
  const type = await typeNamed(trx, provision.instance_type);
  const rates = ratesOf(size, type);
  requireSameOffer(provision, type, rates);
  // Otherwise nothing limits what it may cost.
  const isLimited = budgets || ctx.config.billingEnforced;
  const toPay = isLimited
    ? await newCvmRate(trx, provision.team_id, provision.instance_type, rates)
    : rates.hourly_rate_micros;
  const hold = await claimFunds(ctx, trx, toPay, { app_id: null, deploys: true, budgets });
  const cvm = await trx
    .insertInto('cvms')
    .values({
      public_id: publicId('cvm'),
      vm_uuid: randomUUID(),
      team_id: provision.team_id,
      ...ids,
      teepod_id: provision.teepod_id,
      kms_id: provision.kms_id,
      name: provision.name,
      status: 'creating',
      instance_type: provision.instance_type,
      ...size,
      gpus: provision.gpus,
      all_gpus: provision.all_gpus,
      ports: toJson(provision.ports),
      ...rates,
      os_image: provision.os_image,
      env_pubkey: provision.env_pubkey,
      encrypted_env,
      public_logs: provision.public_logs,
      public_sysinfo: provision.public_sysinfo,
      public_tcbinfo: provision.public_tcbinfo,
      listed: provision.listed,
      storage_fs: provision.storage_fs,
      ssh_authorized_keys: sql<string[]>`array(
        select public_key from ssh_keys where user_id = ${user_id} order by id limit 100)`,
      created_by: user_id,
      scheduled_delete_at: delete_at,
      delete_warned_at: delete_at && scheduleWarning(delete_at),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await commitProvision(trx, provision, cvm.id);
  const operation = await beginOperation(trx, { cvm, type: 'deploy', user_id, correlation_id });
  await insertHold(trx, operation, hold, { replaces: true });
  if (delete_at)
    await addEvent(trx, {
      cvm,
      kind: 'cvm.schedule_delete',
      message: `Deletion scheduled for ${utcMinute(delete_at)}`,
      data: { at: delete_at.toISOString() },
    });
  await ctx.jobs.enqueueOperation(trx, correlation_id);
  return cvm;
}

/**
 * Marks the provision committed and transfers its reservation to the CVM; if it has expired, reserves capacity again or
 * refuses. A host that is being drained or was taken offline gets no CVM, so that a drain ends only once nothing can
 * follow.
 */
async function commitProvision(trx: Write['trx'], provision: ProvisionRow, cvm_id: number): Promise<void> {
  const { teepod_id } = provision;
  // Locks the host, so that a drain that begins now waits for this CVM, and other commits don't wait for this one.
  const isInService = sql<boolean>`(
    select state from teepods where id = ${teepod_id} for share) not in ('draining', 'offline')`;
  const moved = await trx
    .with('committed', (db) =>
      db.updateTable('provisions').set({ committed_at: new Date() }).where('id', '=', provision.id),
    )
    .with('moved', (db) =>
      db
        .updateTable('reservations')
        .set({ provision_id: null, cvm_id, expires_at: null })
        .where('provision_id', '=', provision.id)
        .where('expires_at', '>', new Date())
        .where(isInService)
        .returning('id'),
    )
    // Ends the offer of room that the reservation used, if any.
    .with('ended', (db) =>
      db
        .updateTable('gpu_waits')
        .set({ held_until: null, reservation_id: null })
        .where('reservation_id', 'in', (one) => one.selectFrom('moved').select('id')),
    )
    .selectFrom('moved')
    .select('id')
    .modifyEnd(prepared)
    .executeTakeFirst();
  if (moved) return;
  const { state, name } = await trx
    .selectFrom('teepods')
    .select(['state', 'name'])
    .where('id', '=', teepod_id)
    .executeTakeFirstOrThrow();
  const refusal = (message: string) => new Problem('PROVISION_EXPIRED', { message });
  if (state === 'draining' || state === 'offline')
    throw refusal(`The host ${name} has been taken out of service since the reservation.`);
  await trx.deleteFrom('reservations').where('provision_id', '=', provision.id).execute();
  // While nothing was reserved, the team's other provisions may have used up its quota.
  const refused = await quotaRefusal(trx, provision.team_id, provision);
  if (refused) throw refused;
  const taken = await reserve(trx, {
    teepod_id,
    team_id: provision.team_id,
    size: provision,
    gpus: provision.gpus,
    all_gpus: provision.all_gpus,
    ports: provision.ports,
    cvm_id,
  });
  if (!taken)
    throw refusal(
      state === 'online'
        ? 'The reservation expired, and its capacity has since been taken.'
        : `The reservation expired, and the host ${name} no longer accepts new CVMs.`,
    );
}
