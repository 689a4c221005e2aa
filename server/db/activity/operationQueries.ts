import { sql, type Kysely } from 'kysely';
import type { OperationFields } from '../../domain/activity/operationResponse';
import type { Database } from '../core/schema';
import { LIVE_OPERATION } from '../../../console/lib/cvms/allowedActions';
import { isIn } from '../core/states';
import { rollsBack } from './rollsBack';

type Flat = OperationFields['operation'] & {
  cvm_public_id: string;
  cvm_name: string;
  vm_uuid: string;
  app_id: string;
  user_public_id: string | null;
  username: string | null;
  avatar: string | null;
  canceller: OperationFields['cancelled_by'];
  revision: OperationFields['revision'];
  rolls_back_to: OperationFields['rolls_back_to'];
};

export interface OperationFilter {
  team_id: number;
  state?: 'live' | 'finished' | undefined;
  /** CVM numbers; any may match. */
  cvm_ids?: readonly number[] | undefined;
  /** Requested in [from, to). */
  from?: string | undefined;
  to?: string | undefined;
  /** Only operations older than this ID. */
  before?: number | undefined;
}

// A user's rollback makes a new revision of the earlier one. A rollout that fails applies the earlier one itself.
const ROLLED_BACK_TO = sql`(
  select to_jsonb(one) from (
    select b.public_id, b.number from revisions r join revisions b on b.id = case when exists (
        select from rollouts x where x.public_id = o.payload->>'rollout_id' and x.revision_id <> r.id
      ) then r.id else r.restores_id end
    where r.id = (o.payload->>'revision_id')::bigint and (o.payload->'rolls_back')::boolean) one)`;

// The payload may hold ciphertext, so only its readable fields are selected.
const select = sql`
  select o.id, o.correlation_id, o.type, o.state, o.target, o.steps, o.error_code, o.error_message, o.error_keys, o.created_at,
    o.started_at, o.finished_at, o.deadline_at, o.cancel_requested_at, o.payload->'previous' as previous,
    o.payload->>'reason' as reason, o.payload->>'rollout_id' as rollout_id,
    ${rollsBack('o')} as rolls_back,
    (select to_jsonb(one) from (select by.public_id, by.username, by.avatar from users by where by.id = o.cancel_requested_by) one)
      as canceller,
    (select to_jsonb(one) from (select r.public_id, r.number from revisions r where r.id = (o.payload->>'revision_id')::bigint) one)
      as revision,
    ${ROLLED_BACK_TO} as rolls_back_to,
    c.public_id as cvm_public_id, c.name as cvm_name, c.vm_uuid, a.app_id,
    u.public_id as user_public_id, u.username, u.avatar
  from operations o
  join cvms c on c.id = o.cvm_id
  join apps a on a.id = c.app_id
  left join users u on u.id = o.requested_by`;

/** Newest first; returns one row more than `limit` when there are more. */
export async function listOperations(
  db: Kysely<Database>,
  filter: OperationFilter,
  limit: number,
): Promise<OperationFields[]> {
  const { rows } = await sql<Flat>`
    ${select} where o.team_id = ${filter.team_id}
      ${filter.cvm_ids ? sql`and o.cvm_id = any(${[...filter.cvm_ids]}::bigint[])` : sql``}
      ${filter.state === 'live' ? sql`and ${isIn('o.state', LIVE_OPERATION)}` : sql``}
      ${filter.state === 'finished' ? sql`and not ${isIn('o.state', LIVE_OPERATION)}` : sql``}
      ${filter.from === undefined ? sql`` : sql`and o.created_at >= ${filter.from}::timestamptz`}
      ${filter.to === undefined ? sql`` : sql`and o.created_at < ${filter.to}::timestamptz`}
      ${filter.before === undefined ? sql`` : sql`and o.id < ${filter.before}`}
    order by o.id desc limit ${limit + 1}`.execute(db);
  return rows.map(listed);
}

export async function findOperation(
  db: Kysely<Database>,
  team_id: number,
  correlation_id: string,
): Promise<OperationFields | null> {
  const { rows } = await sql<Flat>`
    ${select} where o.correlation_id = ${correlation_id}::uuid and o.team_id = ${team_id}`.execute(db);
  return rows[0] ? listed(rows[0]) : null;
}

function listed(row: Flat): OperationFields {
  const {
    cvm_public_id,
    cvm_name,
    vm_uuid,
    app_id,
    user_public_id,
    username,
    avatar,
    canceller,
    revision,
    rolls_back_to,
    ...operation
  } = row;
  return {
    operation,
    cancelled_by: canceller,
    revision,
    rolls_back_to,
    cvm: { public_id: cvm_public_id, name: cvm_name, vm_uuid, app_id },
    requested_by:
      user_public_id === null
        ? null
        : { public_id: user_public_id, username: username ?? '', avatar: avatar ?? '' },
  };
}
