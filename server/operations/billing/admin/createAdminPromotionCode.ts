import { adminPromotionCodeOut } from '../../../domain/billing/billingResponse';
import { etagOf, namingConflict } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { promotionCodes } from '../../core/admin/resourcesBilling';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';
import { amountOf } from '../amount';
import { formatUsd } from '../../../../console/lib/billing/money';
import { codeWorth, ENDLESS } from '../../../../console/lib/billing/worth';
import { approvalFor } from '../approvals/approval';
import { checkWelcome, checkWindow, minimumOf } from './promotionWindow';
import { checkTexts } from '../../core/text';

const NAMES = {
  promotion_codes_code_key: { field: 'code', message: 'This code already exists.' },
};

/** Describes the limit on redemptions. */
export const timesText = (max_uses: number | null) =>
  max_uses === null
    ? `unlimited uses (counted as ${ENDLESS.toLocaleString('en-US')})`
    : max_uses === 1
      ? 'one use'
      : `up to ${max_uses.toLocaleString('en-US')} uses`;

export const createAdminPromotionCode: Handler<'createAdminPromotionCode'> = async ({ body, ctx }) => {
  checkTexts(body, ['description']);
  const { code, amount = null, percent = null, cap = null, minimum = null, ...rest } = body;
  if ((amount === null) === (percent === null))
    throw invalid('amount', 'Enter either an amount or a percentage.');
  if ((percent === null) !== (cap === null))
    throw invalid('cap', percent === null ? 'Only a percentage has a cap.' : 'A percentage needs a cap.');
  const times = {
    starts_at: rest.starts_at ? new Date(rest.starts_at) : null,
    ends_at: rest.ends_at ? new Date(rest.ends_at) : null,
  };
  checkWindow(times);
  checkWelcome({ welcome: rest.welcome ?? false, max_uses_per_team: rest.max_uses_per_team ?? null });
  const values = {
    ...rest,
    ...times,
    code: code.toUpperCase(),
    amount_micros: amount === null ? null : amountOf(amount, 'amount'),
    percent,
    cap_micros: cap === null ? null : amountOf(cap, 'cap'),
    max_uses: rest.max_uses ?? null,
    max_uses_per_team: rest.max_uses_per_team ?? null,
    new_teams_days: rest.new_teams_days ?? null,
    credit_days: rest.credit_days ?? null,
    welcome: rest.welcome ?? false,
    minimum_micros: minimumOf({ welcome: rest.welcome ?? false, minimum }),
    created_by: userOf(ctx).id,
  };
  return namingConflict(NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      const waits = await approvalFor(
        ctx,
        { trx, audit },
        {
          action: 'create_promotion_code',
          path: {},
          body: { ...body },
          team_id: null,
          target: values.code,
          amount_micros: codeWorth({ ...values, state: 'active', uses: 0 }, new Date()),
          reason: `${formatUsd(values.amount_micros ?? values.cap_micros ?? 0)} per use, ${timesText(values.max_uses)}`,
        },
      );
      if (waits) return waits;
      const row = await trx
        .insertInto('promotion_codes')
        .values(values)
        .returningAll()
        .executeTakeFirstOrThrow();
      const made = adminPromotionCodeOut(row);
      await audit({
        action: 'promotion_code.create',
        target_kind: 'promotion_code',
        target_id: row.code,
        after: {
          amount: made.amount,
          percent: made.percent,
          cap: made.cap,
          max_uses: made.max_uses,
          ...(made.welcome && { welcome: true, minimum: made.minimum }),
        },
      });
      return {
        status: 201,
        headers: { ETag: etagOf(promotionCodes.name, row.id, row.updated_at) },
        body: made,
      } as const;
    }),
  );
};
