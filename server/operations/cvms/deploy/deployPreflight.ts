import { guestFieldsOf } from '../../../../console/lib/compose/guestFields';
import { problemCodes } from '../../../../generated/api/permissions.gen';
import { formatMicros, perMonth } from '../../../../console/lib/billing/money';
import { listActiveInstanceTypes } from '../../../db/catalog/catalog';
import { teepodCapacities } from '../../../db/hosts/reservations';
import { stoppedHourlyRate } from '../../../domain/billing/pricing';
import type { Problem } from '../../../domain/core/problem';
import type { Room } from '../../../domain/hosts/recycledCapacity';
import { fits, inRegion } from '../../../domain/hosts/scheduler';
import type { PreflightRefusal, PreflightWarning } from '../../../../generated/api/types.gen';
import type { Context, Handler } from '../../types';
import { analyzeWhole } from './checkedCompose';
import { roomFor } from '../../../db/cvms/purgeForRoom';
import { planDeploy, pricedType, quotaRefusal } from './plan';
import { teamOf } from '../../core/caller';
import { missingFunds } from '../../core/funds';

/**
 * Returns what would happen if this were deployed now: cost, fit, and which limit refuses it. Reserves
 * nothing.
 */
export const deployPreflight: Handler<'deployPreflight'> = async ({ body, ctx }) => {
  const team = teamOf(ctx);
  const plan = await planDeploy(ctx, body);
  // Without an open host, neither funds nor a larger quota help.
  const access = plan.refusal?.code === problemCodes.TEEPOD_NOT_ACCESSIBLE ? plan.refusal : null;
  const quota = await quotaRefusal(ctx.db, team.id, plan.size);
  const scope = { app_id: null, deploys: true, type: pricedType(plan) };
  const funds = await missingFunds(ctx, ctx.db, plan.rates.hourly_rate_micros, scope);
  const room = plan.refusal ? await roomFor(ctx.db, team.id, plan) : null;
  // Ordered by what must be fixed first.
  const refused =
    refusalBy('access', access, { smaller: false }) ??
    refusalBy('quota', quota, { smaller: true }) ??
    // A smaller size might still be too expensive, and the simplest fix is to add funds.
    refusalBy(funds?.code === problemCodes.BUDGET_USED_UP ? 'budget' : 'funds', funds, { smaller: false }) ??
    refusalBy('capacity', room ? null : plan.refusal, { smaller: true });
  const { findings } = await analyzeWhole(ctx, plan.compose);
  const ignored = await ignoredKeys(ctx, plan.compose.allowed_envs ?? []);
  return {
    status: 200,
    body: {
      compose_hash: plan.app_compose.compose_hash,
      hourly_rate: formatMicros(plan.rates.hourly_rate_micros),
      monthly_estimate: formatMicros(perMonth(plan.rates.hourly_rate_micros)),
      stopped_disk_hourly: formatMicros(stoppedHourlyRate(plan.size)),
      fits: refused === null,
      refusal: refused && {
        limit: refused.limit,
        code: refused.problem.code,
        reason: refused.problem.message,
        next_smaller: refused.smaller ? await nextSmaller() : null,
      },
      teepod_name: plan.hosts[0]?.host.teepod_name ?? room?.teepod_name ?? null,
      os_image: plan.hosts[0]?.image.name ?? null,
      guest_fields: Object.keys(guestFieldsOf(plan.compose)),
      warnings: [
        ...(room && !refused ? [binWarning(room)] : []),
        ...ignored,
        ...findings
          .filter((finding) => finding.severity === 'warning')
          .map((finding) => ({
            kind: finding.code,
            message: finding.message,
            line: finding.line,
            column: finding.column,
          })),
      ].slice(0, 100),
    },
  };

  /** Returns the largest listed type below the requested one that fits both the chosen hosts and the quota now. */
  async function nextSmaller(): Promise<string | null> {
    const { region } = plan.wish;
    const teepod_id = body.teepod_id ?? body.node_id;
    const [types, hosts] = await Promise.all([
      listActiveInstanceTypes(ctx.db),
      teepodCapacities(ctx.db, { team_id: team.id, ...(teepod_id === undefined ? {} : { teepod_id }) }),
    ]);
    const smaller = types
      .filter((type) => !type.requires_gpu && isSmaller(type, plan.size))
      .sort((a, b) => b.memory_mb - a.memory_mb);
    for (const type of smaller) {
      const size = { vcpu: type.vcpu, memory_mb: type.memory_mb, disk_gb: type.default_disk_size_gb };
      if (
        inRegion(hosts, { region }).some((host) => fits(host, size)) &&
        !(await quotaRefusal(ctx.db, team.id, size))
      )
        return type.id;
    }
    return null;
  }
};

/** @param smaller whether a smaller size may be accepted */
const refusalBy = (
  limit: PreflightRefusal['limit'],
  problem: Problem | null,
  { smaller }: { smaller: boolean },
) => problem && { limit, problem, smaller };

const binWarning = ({ teepod_name, purge }: Room): PreflightWarning => ({
  kind: 'recycle_bin_gives_way',
  message: `No host has free capacity. Deploying destroys the oldest CVMs in the recycle bin of ${teepod_name} (${purge.length}), which takes a moment.`,
  line: null,
  column: null,
});

/** SSH keys and host name are sent in user_config, which no dstack guest reads. */
async function ignoredKeys(ctx: Context, allowed_envs: readonly string[]): Promise<PreflightWarning[]> {
  if (ctx.caller.user === null || allowed_envs.includes('DSTACK_AUTHORIZED_KEYS')) return [];
  const key = await ctx.db
    .selectFrom('ssh_keys')
    .select('id')
    .where('user_id', '=', ctx.caller.user.id)
    .limit(1)
    .executeTakeFirst();
  if (!key) return [];
  return [
    {
      kind: 'ssh_keys_ignored',
      message:
        'The guest ignores the host name and the SSH keys in your account. For access, use a development image and put your key into the secret DSTACK_AUTHORIZED_KEYS.',
      line: null,
      column: null,
    },
  ];
}

/** Smaller in at least one respect: a custom size may have many vCPUs and little memory. */
const isSmaller = (type: { vcpu: number; memory_mb: number }, size: { vcpu: number; memory_mb: number }) =>
  type.vcpu < size.vcpu || type.memory_mb < size.memory_mb;
