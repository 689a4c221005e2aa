import { sealEnv } from '../../../../console/lib/secrets/seal';
import type { DeployAdminAiGateway } from '../../../../generated/api/types.gen';
import { findForeignTeam } from '../../../db/accounts/sessions';
import { gatewayCvm, noteGatewayCvm } from '../../../db/ai/aiGateways';
import { discardProvision } from '../../../db/apps/provisions';
import { adminOne } from '../../../db/core/adminList';
import type { Db, Tx } from '../../../db/core/client';
import { roleOf } from '../../../db/teams/members';
import { gatewayCompose, gatewaySecrets } from '../../../domain/ai/gatewayCompose';
import type { CallerTeam } from '../../../domain/core/caller';
import { Problem } from '../../../domain/core/problem';
import { decide } from '../../../domain/teams/permissions';
import { actingFor } from '../../core/actingFor';
import { etagOf } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { missing, sourceOf } from '../../core/admin/resource';
import { aiGateways } from '../../core/admin/resourcesAi';
import { holdTeam, teamOf, userOf } from '../../core/caller';
import { createProvisioned } from '../../cvms/deploy/createCvm';
import { provision } from '../../cvms/deploy/provisionCvm';
import type { Context, Handler } from '../../types';
import { newGatewayTokens, replaceTokens, type GatewayTokens } from './gatewayTokens';

/**
 * Deploys a gateway like any app of the team. Its tokens become valid in the transaction that creates the CVM,
 * and only the guest can read them.
 */
export const deployAdminAiGateway: Handler<'deployAdminAiGateway'> = async ({ path, body, ctx }) => {
  const { id } = path;
  const gateway = await adminOne(ctx.db, sourceOf(aiGateways, ctx), id);
  if (!gateway) throw missing(aiGateways, id);
  await refuseDeployed(ctx.db, id);
  const acting = actingFor(ctx, await owner(ctx, body));
  const name = body.name ?? `gateway-${gateway.name}`.slice(0, 63).replace(/-$/, '');
  const tokens = newGatewayTokens();
  const secrets = gatewaySecrets(tokens);
  const provisioned = await provision(acting, {
    name,
    instance_type: body.instance_type,
    // The gateway attests with a quote, and exits without one.
    in_tee: true,
    // A host's operator can log in to a development image and read prompts.
    prefer_dev: false,
    ...(body.teepod_id === undefined ? {} : { teepod_id: body.teepod_id }),
    ...(body.region === undefined ? {} : { region: body.region }),
    compose_file: {
      docker_compose_file: gatewayCompose(gateway, ctx.config.publicUrl),
      allowed_envs: secrets.map(({ key }) => key),
      public_logs: false,
    },
  });
  try {
    await create(acting, id, { tokens, provisioned: provisioned.body });
  } catch (error) {
    const { app_id, compose_hash } = provisioned.body;
    await discardProvision(ctx.db, { team_id: teamOf(acting).id, name, app_id, compose_hash });
    throw error;
  }
  const row = await adminOne(ctx.db, sourceOf(aiGateways, ctx), id);
  if (!row) throw missing(aiGateways, id);
  return {
    status: 200,
    headers: { ETag: etagOf(aiGateways.name, id, row.updated_at) },
    body: aiGateways.out(row),
  } as const;
};

type Provisioned = Awaited<ReturnType<typeof provision>>['body'];

/** Creates the provisioned CVM and assigns it to the gateway. */
async function create(
  acting: Context,
  id: number,
  {
    tokens,
    provisioned: { app_id, compose_hash, app_env_encrypt_pubkey },
  }: { tokens: GatewayTokens; provisioned: Provisioned },
): Promise<void> {
  if (app_id === null || app_env_encrypt_pubkey === null)
    throw invalid(
      'teepod_id',
      'This host’s apps are registered on-chain, which requires a wallet. Choose another host, or deploy the Compose file from the console.',
    );
  const encrypted_env = sealEnv(gatewaySecrets(tokens), app_env_encrypt_pubkey);
  await createProvisioned(acting, { app_id, compose_hash, encrypted_env }, async (write) => {
    // The role may have been removed since.
    await holdTeam(write.trx, acting, 'cvms.write');
    const hints = await replaceTokens(write, id, tokens);
    await refuseDeployed(write.trx, id);
    await noteGatewayCvm(write.trx, id, app_id);
    await write.audit({
      action: 'ai_gateway.deploy',
      target_kind: 'ai_gateway',
      target_id: String(id),
      // In the platform's log, like all other gateway changes.
      team_id: null,
      before: hints.before,
      after: { ...hints.after, app_id, compose_hash },
    });
  });
}

/**
 * Returns the team to deploy the gateway in. Its members can read everything the gateway reads, including upstream
 * API keys, so the administrator must be able to deploy there as a member.
 * @throws VALIDATION_FAILED
 */
async function owner(ctx: Context, { team_id }: DeployAdminAiGateway): Promise<CallerTeam> {
  const team = team_id === undefined ? teamOf(ctx) : await findForeignTeam(ctx.db, { id: team_id });
  if (!team) throw invalid('team_id', 'There is no such team.');
  const role = await roleOf(ctx.db, team.id, userOf(ctx).id);
  if (role === null)
    throw invalid(
      'team_id',
      `You aren't a member of the team “${team.name}”. A gateway holds the upstreams' API keys, and members of its team could read them. Choose one of your teams.`,
    );
  const subject = { kind: 'session', team_role: role, platform_role: null, scopes: [] } as const;
  if (decide('cvms.write', subject) !== 'allowed')
    throw invalid('team_id', `Your role in the team “${team.name}” (${role}) doesn't let you deploy there.`);
  return team;
}

/** @throws IN_USE if the gateway has a CVM */
async function refuseDeployed(db: Db | Tx, id: number): Promise<void> {
  const name = await gatewayCvm(db, id);
  if (name === null) return;
  throw new Problem('IN_USE', {
    message: `This gateway runs in the CVM “${name}”.`,
    suggestions: ['Delete that CVM to deploy the gateway again, or update it there.'],
  });
}
