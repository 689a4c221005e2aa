import { sql } from 'kysely';
import type { ProvisionCvm } from '../../../../generated/api/types.gen';
import { deleteOpenProvision, isAppIdTaken, rivalsOf } from '../../../db/apps/provisions';
import {
  lockFirstIdle,
  nameUse,
  releaseOpenProvisions,
  reserve,
  reserveLocked,
  type Take,
} from '../../../db/hosts/reservations';
import type { FoundKms } from '../../../db/kms/kms';
import { prepared, type Db, type Tx } from '../../../db/core/client';
import { portsOnHold } from '../../../db/hosts/hostPorts';
import { appIdFor } from '../../../domain/apps/appId';
import { Problem } from '../../../domain/core/problem';
import { isAsGood } from '../../../domain/hosts/scheduler';
import { kmsOut } from '../../../domain/catalog/catalogResponse';
import { kmsContractId } from '../../../domain/kms/kmsContractResponse';
import { envPubkey } from '../../kms/envPubkey';
import { governedBy } from '../../kms/onChain';
import { templateVersionOf } from '../../catalog/templateVersion';
import type { Context, Handler } from '../../types';
import { makeRoom } from './makeRoom';
import { refuseCopy } from './contractClaim';
import { requireSameChain } from './onChainApproval';
import { planDeploy, pricedType, quotaRefusal, type Plan, type Wanted } from './plan';
import { teamOf } from '../../core/caller';
import { lockTeamToDeploy } from '../../../db/billing/budgets';
import { missingFunds } from '../../core/funds';
import { requireVerified } from '../../core/requireVerified';
import { toJson } from '../../../db/core/json';

const RESERVED_SECONDS = 15 * 60;
/** Maximum host ports that a team's uncommitted provisions hold: enough for two deployments. */
const MAX_PORTS_ON_HOLD = 40;
/**
 * How long a provision can be committed; once the reservation has expired, capacity is sought again.
 */
const PROVISION_DAYS = 14;

/**
 * Step one of a deployment: chooses a host and reserves capacity in one transaction, so that no two
 * deployments get the same capacity; computes the compose hash; returns the verified key the environment
 * must be sealed to.
 */
export async function provision(ctx: Context, body: Wanted) {
  requireVerified(ctx);
  const team = teamOf(ctx);
  let plan = await planDeploy(ctx, body);
  const name = await nameUse(ctx.db, team.id, body.name);
  if (name.is_taken) throw duplicateName(body.name);
  // An attempt replaces the previous one of the same name, which must not hold the capacity it needs.
  const replaces = name.holds_capacity;
  if (replaces) plan = await planInstead(ctx, body);
  if (plan.refusal) plan = await afterPurge(ctx, body, plan, { refused: plan.refusal, replaces });
  const tried = new Set<number>();
  for (;;) {
    const reply = await provisionOn(ctx, body, plan, replaces);
    if (reply) return reply;
    // All these hosts filled up in the meantime. Locks on them are released before further hosts are tried.
    for (const { host } of plan.hosts) tried.add(host.teepod_id);
    plan = await (replaces ? planInstead : planDeploy)(ctx, body, tried);
    if (plan.hosts.length === 0) throw plan.refusal ?? new Problem('RESOURCE_NOT_AVAILABLE');
  }
}

/**
 * Reads as if the previous attempts of this name held nothing, and rolls that back: they give their capacity up only
 * together with the new reservation, so that no other team can take it in between.
 */
const instead = <T>(ctx: Context, { name }: Wanted, read: (trx: Tx) => Promise<T>): Promise<T> =>
  ctx.write(async ({ trx, unchanged }) => {
    await releaseOpenProvisions(trx, teamOf(ctx).id, name);
    return unchanged(await read(trx));
  });

const planInstead = (ctx: Context, body: Wanted, tried?: ReadonlySet<number>): Promise<Plan> =>
  instead(ctx, body, (trx) => planDeploy({ ...ctx, db: trx }, body, tried));

/**
 * Provisions on the best of the planned hosts that still has room; null, having changed nothing, if none has.
 * @param replaces whether to release what previous attempts of this name hold
 */
async function provisionOn(ctx: Context, body: Wanted, plan: Plan, replaces: boolean) {
  const team = teamOf(ctx);
  // With a contract, the app ID is its address, which isn't known yet unless the client has deployed it.
  const own = plan.kms.chain_id === null ? await chooseAppId(ctx, body) : null;
  // Checked before the team pays for a contract.
  if (!own) await refuseCopy(ctx, await rivalsOf(ctx.db, team.id, plan.app_compose.compose_hash, plan.kms));
  const app_id = own ? own.app_id : await deployedContract(ctx, body, plan.kms);
  const key = app_id === null ? null : await envPubkey(ctx, plan.kms, app_id);
  const expires_at = new Date(Date.now() + RESERVED_SECONDS * 1000);
  return ctx.write(async ({ trx, audit, unchanged }) => {
    const budgets = await lockTeamToDeploy(trx, team.id);
    if (replaces) await releaseOpenProvisions(trx, team.id, body.name);
    const refused =
      (await quotaRefusal(trx, team.id, plan.size)) ??
      // Funds are held only at commit.
      (await missingFunds(ctx, trx, plan.rates.hourly_rate_micros, {
        app_id: null,
        deploys: true,
        budgets,
        type: pricedType(plan),
      }));
    if (refused) throw refused;
    await checkPortsOnHold(trx, team.id, plan.attachments.ports.length);
    const first = plan.hosts[0] as Plan['hosts'][number];
    // A retrying client sends the same ID again.
    if (own && body.nonce !== undefined)
      await deleteOpenProvision(trx, { team_id: team.id, name: body.name, app_id: own.app_id });
    const { id } = await trx
      .insertInto('provisions')
      .values({
        team_id: team.id,
        user_id: ctx.caller.user?.id ?? null,
        app_id: own?.app_id ?? null,
        nonce: own?.nonce ?? null,
        compose_hash: plan.app_compose.compose_hash,
        app_compose: plan.app_compose.bytes,
        docker_compose_file: plan.compose.docker_compose_file,
        pre_launch_script: plan.compose.pre_launch_script || null,
        allowed_envs: [...(plan.compose.allowed_envs ?? [])],
        name: body.name,
        instance_type: plan.instance_type?.id ?? null,
        ...plan.size,
        hourly_rate_micros: plan.rates.hourly_rate_micros,
        gpus: plan.attachments.gpus,
        all_gpus: plan.attachments.all_gpus,
        ports: toJson(plan.attachments.ports),
        os_image: first.image.name,
        kms_id: plan.kms.id,
        // The commit reads a contract, and sets both.
        env_pubkey: own && key ? key.public_key : null,
        teepod_id: first.host.teepod_id,
        public_logs: plan.app_compose.app_compose.public_logs,
        public_sysinfo: plan.app_compose.app_compose.public_sysinfo,
        public_tcbinfo: plan.app_compose.app_compose.public_tcbinfo,
        listed: body.listed ?? false,
        storage_fs: plan.app_compose.app_compose.storage_fs,
        expires_at: new Date(Date.now() + PROVISION_DAYS * 86_400_000),
        template_version_id: await templateVersionOf(ctx, trx, body.template),
      })
      .onConflict((conflict) => conflict.column('app_id').doNothing())
      .returning('id')
      .modifyEnd(prepared)
      .executeTakeFirst()
      .then((row) => row ?? Promise.reject(new Problem('CVM_APP_ID_CONFLICT')));
    const host = await firstThatReserves(trx, plan, {
      team_id: team.id,
      size: plan.size,
      ...plan.attachments,
      provision_id: id,
      ttl_seconds: RESERVED_SECONDS,
    });
    if (!host) return unchanged(null);
    if (host !== first) {
      await trx
        .updateTable('provisions')
        .set({ teepod_id: host.host.teepod_id, os_image: host.image.name })
        .where('id', '=', id)
        .execute();
    }
    await audit({
      action: 'cvm.provision',
      target_kind: 'app',
      target_id: app_id ?? plan.app_compose.compose_hash,
      after: { name: body.name, compose_hash: plan.app_compose.compose_hash, teepod: host.host.teepod_name },
    });
    return {
      status: 200 as const,
      body: {
        compose_hash: plan.app_compose.compose_hash,
        app_id,
        app_env_encrypt_pubkey: key?.public_key ?? null,
        app_env_encrypt_pubkey_signature: key?.signature ?? null,
        app_env_encrypt_pubkey_signature_v1: key?.signature_v1 || null,
        app_env_encrypt_pubkey_timestamp: key?.timestamp || null,
        // Its root key is the one that signed this key.
        kms_info: kmsOut(key ? { ...plan.kms, seen_k256_pubkey: key.signer } : plan.kms),
        fmspc: null,
        device_id: host.host.device_id,
        os_image_hash: host.image.os_image_hash,
        instance_type: plan.instance_type?.id ?? null,
        teepod_id: host.host.teepod_id,
        node_id: host.host.teepod_id,
        kms_id: plan.kms.public_id,
        kms_contract_id: kmsContractId({ public_id: plan.kms.first_public_id }),
        expires_at: expires_at.toISOString(),
      },
    };
  });
}

export const provisionCvm: Handler<'provisionCvm'> = ({ body, ctx }) => provision(ctx, body);

/** @throws QUOTA_EXCEEDED if the team would hold too many unpaid host ports */
async function checkPortsOnHold(trx: Tx, team_id: number, wanted: number): Promise<void> {
  if (wanted === 0) return;
  const held = await portsOnHold(trx, team_id);
  if (held + wanted <= MAX_PORTS_ON_HOLD) return;
  const message = `This team's open deployments have reserved ${held} of at most ${MAX_PORTS_ON_HOLD} host ports.`;
  throw new Problem('QUOTA_EXCEEDED', {
    message,
    details: [{ field: 'ports', message }],
    suggestions: [
      `Commit one of them, or wait: each expires ${RESERVED_SECONDS / 60} minutes after it was provisioned.`,
    ],
  });
}

/**
 * Purges from the recycle bin if that is allowed and helps, and plans again. The bin gives way only for what is missing
 * without the previous attempts of this name, which keep what they hold until then. @throws the refusal if not
 */
async function afterPurge(
  ctx: Context,
  body: Wanted,
  plan: Plan,
  { refused, replaces }: { refused: Problem; replaces: boolean },
): Promise<Plan> {
  // Nothing is purged for a deployment that is refused anyway.
  const otherRefusal = async (db: Db | Tx) =>
    (await quotaRefusal(db, teamOf(ctx).id, plan.size)) ??
    (await missingFunds(ctx, db, plan.rates.hourly_rate_micros, {
      app_id: null,
      deploys: true,
      type: pricedType(plan),
    }));
  const other = await (replaces ? instead(ctx, body, otherRefusal) : otherRefusal(ctx.db));
  if (other) throw other;
  const removing = await makeRoom(ctx, plan);
  if (removing === null) throw refused;
  const next = await (replaces ? planInstead : planDeploy)(ctx, body);
  if (next.refusal) throw removing;
  return next;
}

/**
 * Reserves on the best of the planned hosts that has room. Concurrent deployments find the same one best: where
 * another is reserving, this one takes the next host that is as good instead of waiting.
 */
async function firstThatReserves(trx: Tx, { hosts, wish, policy }: Plan, take: Omit<Take, 'teepod_id'>) {
  const left = new Map(hosts.map((candidate) => [candidate.host.teepod_id, candidate]));
  const [first] = hosts;
  const asGood = hosts.filter(({ host }) => first && isAsGood(host, first.host, wish, policy));
  for (;;) {
    const ids = asGood.map(({ host }) => host.teepod_id).filter((id) => left.has(id));
    const teepod_id = ids.length > 0 ? await lockFirstIdle(trx, ids) : undefined;
    if (teepod_id === undefined) break;
    if (await reserveLocked(trx, { ...take, teepod_id })) return left.get(teepod_id);
    left.delete(teepod_id);
  }
  for (const [teepod_id, candidate] of left) if (await reserve(trx, { ...take, teepod_id })) return candidate;
  return undefined;
}

export const duplicateName = (name: string) =>
  new Problem('DUPLICATE_CVM_NAME', {
    message: `This team already has a CVM named “${name}”.`,
    details: [{ field: 'name', value: name }],
    suggestions: ['Choose another name, or delete the old CVM first.'],
  });

const bareAppId = (app_id: string) => app_id.toLowerCase().replace(/^(app_|0x)/, '');

/** @throws INVALID_REQUEST if the two names of the ID differ */
function givenAppId(
  body: ProvisionCvm,
): { field: 'app_id' | 'custom_app_id'; given: string; app_id: string } | null {
  const field = body.app_id === undefined ? 'custom_app_id' : 'app_id';
  const given = body[field];
  if (given === undefined) return null;
  const app_id = bareAppId(given);
  if (body.custom_app_id !== undefined && bareAppId(body.custom_app_id) !== app_id)
    throw new Problem('INVALID_REQUEST', {
      message: 'app_id and custom_app_id differ.',
      details: [{ field: 'custom_app_id', value: body.custom_app_id }],
      suggestions: ['Send one of them.'],
    });
  return { field, given, app_id };
}

/**
 * Returns the address of the contract that the client has deployed for the app; null if it named none. Whether the
 * contract allows the app is checked at commit, because the client may first have to add the compose hash to it.
 */
async function deployedContract(ctx: Context, body: ProvisionCvm, kms: FoundKms): Promise<string | null> {
  if (body.nonce !== undefined)
    throw new Problem('INVALID_REQUEST', {
      message: `nonce has no effect with the key management service “${kms.slug}”: the app's ID is the address of its contract.`,
      details: [{ field: 'nonce', value: body.nonce }],
      suggestions: ['Leave nonce out.'],
    });
  const named = givenAppId(body);
  if (!named) return null;
  const { app_id, field, given } = named;
  const contract = governedBy(kms);
  if (contract) await requireSameChain(ctx, app_id, contract);
  if (await isAppIdTaken(ctx.db, app_id))
    throw new Problem('CVM_APP_ID_CONFLICT', {
      message: `The contract 0x${app_id} belongs to another app.`,
      details: [{ field, value: given }],
      suggestions: [`Deploy a contract for this app, and leave ${field} out until it is deployed.`],
    });
  return app_id;
}

/**
 * Returns the next address of the team's wallet, or the one the client computed, which must be that address.
 */
async function chooseAppId(ctx: Context, body: ProvisionCvm): Promise<{ app_id: string; nonce: number }> {
  const team = teamOf(ctx);
  const named = givenAppId(body);
  if (named) {
    const { field, given, app_id } = named;
    const { wallet_address } = await ctx.db
      .selectFrom('teams')
      .select('wallet_address')
      .where('id', '=', team.id)
      .executeTakeFirstOrThrow();
    if (body.nonce === undefined || appIdFor(wallet_address, body.nonce) !== app_id) {
      throw new Problem('INVALID_REQUEST', {
        message: `${field} doesn't match this team and nonce.`,
        details: [{ field, value: given }],
        suggestions: [`Leave ${field} and nonce out to get the next one.`],
      });
    }
    return { app_id, nonce: body.nonce };
  }
  if (body.nonce !== undefined)
    throw new Problem('INVALID_REQUEST', {
      message: 'nonce has no effect without app_id.',
      details: [{ field: 'nonce', value: body.nonce }],
      suggestions: ['Send app_id with it, or leave nonce out to get the next ID.'],
    });
  // As with a sequence, numbers may be skipped: a provision that fails later just leaves a gap.
  for (;;) {
    const { rows } = await sql<{ wallet_address: string; nonce: number }>`${prepared}
      update teams set next_nonce = next_nonce + 1 where id = ${team.id}
      returning wallet_address, next_nonce - 1 as nonce`.execute(ctx.db);
    const row = rows[0] as { wallet_address: string; nonce: number };
    const app_id = appIdFor(row.wallet_address, row.nonce);
    // A client may have chosen this number itself; it never runs far ahead, and each round advances by one.
    if (!(await isAppIdTaken(ctx.db, app_id))) return { app_id, nonce: row.nonce };
  }
}
