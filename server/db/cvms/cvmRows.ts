import { sql, type RawBuilder } from 'kysely';
import type { AppRow } from '../apps/appsTable';
import type { CvmRow } from './cvmsTable';
import type { InstanceTypeRow } from '../catalog/instanceTypesTable';
import type { OrderRow } from '../billing/orders/ordersTables';
import type { KmsRow } from '../kms/kmsTable';
import type { NodeRow } from '../hosts/nodesTable';
import type { NamedOperationRow } from '../activity/operationsTable';
import { rollsBack } from '../activity/rollsBack';
import type { OsImageRow } from '../catalog/osImagesTable';
import type { RevisionRow } from '../apps/revisionsTable';
import type { TeepodRow } from '../hosts/teepodsTable';
import type { UserRow } from '../accounts/usersTable';
import type { KmsHealthColumns, KmsRuleColumns } from '../kms/kmsTable';
import { ownValue } from '../../../console/lib/ownValue';
import { isLive, type OperationState } from '../../../console/lib/cvms/allowedActions';

/**
 * One CVM with everything its wire shapes need, from one joined select. Two widths: `brief` omits texts and
 * ciphertext that no list shows and that may be megabytes; `full` has every column.
 */
interface Columns {
  cvm: Exclude<keyof CvmRow, 'encrypted_env' | 'ssh_authorized_keys'>;
  app: keyof AppRow;
  revision: 'id' | 'public_id' | 'number' | 'compose_hash';
  teepod:
    | 'id'
    | 'name'
    | 'kind'
    | 'state'
    | 'reachable'
    | 'version'
    | 'engine'
    | 'gateway_base_domain'
    | 'tee';
  operation: Exclude<keyof NamedOperationRow, 'payload'>;
}

interface Around {
  app: AppRow;
  node: Pick<NodeRow, 'id' | 'name' | 'region' | 'state' | 'device_id' | 'ppid'>;
  kms:
    | (Omit<KmsRow, 'created_at' | 'updated_at' | keyof KmsHealthColumns | keyof KmsRuleColumns> &
        Pick<KmsRow, 'seen_k256_pubkey'>)
    | null;
  creator: Pick<UserRow, 'id' | 'public_id' | 'username' | 'avatar'> | null;
  /** Of the CVM's OS image, when the catalog knows it. */
  os: Pick<OsImageRow, 'id' | 'version' | 'is_dev' | 'os_image_hash'> | null;
  /** Of the CVM's instance type. */
  instance_type: Pick<InstanceTypeRow, 'id' | 'gpu_count'> | null;
  /** The order that covers the CVM, with times as PostgreSQL writes them in JSON. */
  order: CoveringOrder | null;
}

type OrderTimes = 'starts_at' | 'ends_at' | 'renew_at' | 'closed_at';

type CoveringOrder = Pick<OrderRow, 'public_id' | 'state' | 'name' | 'period' | 'renews'> &
  Record<OrderTimes, string | null> & { product_public_id: string };

export interface BriefCvm extends Around {
  cvm: Pick<CvmRow, Columns['cvm']>;
  revision: Pick<RevisionRow, Columns['revision']>;
  teepod: Pick<TeepodRow, Columns['teepod']>;
  /** The live operation, if any. */
  operation: Pick<NamedOperationRow, Columns['operation']> | null;
  /** The latest operation, live or ended. */
  latest_operation: Pick<NamedOperationRow, Columns['operation']> | null;
}

export interface JoinedCvm extends Around {
  cvm: CvmRow;
  revision: RevisionRow;
  teepod: TeepodRow;
  operation: NamedOperationRow | null;
  latest_operation: NamedOperationRow | null;
}

const words = (text: string) => text.trim().split(/\s+/);

const BRIEF = {
  cvm: words(`id public_id vm_uuid team_id app_id revision_id teepod_id kms_id name status status_reason status_reason_keys desired
    host_vm_id
    instance_id instance_type vcpu memory_mb disk_gb hourly_rate_micros gpu_rate_micros disk_rate_micros os_image env_pubkey public_logs public_sysinfo
    public_tcbinfo listed storage_fs boot_progress boot_error endpoints started_at observed_at missing_since created_by created_at
    updated_at deleted_at hostname protected movable scheduled_stop_at scheduled_delete_at stop_warned_at delete_warned_at
    purge_at gpus all_gpus ports order_id covers covered_until`),
  app: words(
    'id public_id app_id team_id kms_id name nonce deployer_address created_by created_at archived_at',
  ),
  revision: words('id public_id number compose_hash'),
  teepod: words('id name kind state reachable version engine gateway_base_domain tee'),
  node: words('id name region state device_id ppid'),
  latest_operation:
    words(`id correlation_id team_id cvm_id type state target steps error_code error_message error_keys requested_by
    cancel_requested_at cancel_requested_by lease_owner lease_until attempts created_at started_at finished_at deadline_at rolls_back`),
};

type Group = keyof typeof BRIEF;

const FULL: Record<Group, string[]> = {
  ...BRIEF,
  cvm: [...BRIEF.cvm, 'encrypted_env', 'ssh_authorized_keys'],
  app: [...BRIEF.app, 'listing_refused_reason'],
  revision: [
    ...BRIEF.revision,
    ...words(`app_id app_compose docker_compose_file pre_launch_script allowed_envs os_image operation_type reason
      correlation_id created_by created_at live_at restores_id resolved_images template_version_id`),
  ],
  teepod: [
    ...BRIEF.teepod,
    ...words(`node_id kms_id url credential_kind sealed_credential reachable_since last_seen_at last_error warnings max_cvms
      max_vcpu max_memory_mb max_disk_gb listed all_teams created_at updated_at`),
  ],
  latest_operation: [...BRIEF.latest_operation, 'payload'],
};

/**
 * Small records beside the CVM, each as one JSON value. Not joins: every further join multiplies the orders
 * the planner considers, and with all of them planning took ten times as long as execution.
 */
const BESIDE = {
  kms: `select id, public_id, slug, type, url, version, chain_id, kms_contract_address, gateway_app_id, k256_pubkey, next_k256_pubkey,
    seen_k256_pubkey, ca_pubkey, state
    from kms where kms.id = cvm.kms_id`,
  creator: 'select id, public_id, username, avatar from users where users.id = cvm.created_by',
  os: 'select id, version, is_dev, os_image_hash from os_images where os_images.name = cvm.os_image',
  instance_type: 'select id, gpu_count from instance_types where instance_types.id = cvm.instance_type',
  order: `select orders.public_id, orders.state, orders.name, orders.period, orders.renews, orders.starts_at, orders.ends_at,
    orders.renew_at, orders.closed_at, order_products.public_id as product_public_id
    from orders join order_products on order_products.id = orders.product_id where orders.id = cvm.order_id`,
};

const groups = Object.keys(BRIEF) as Group[];
const beside = Object.keys(BESIDE) as (keyof typeof BESIDE)[];

/** Flat columns are named "group.column" on their way through the driver. */
const select = (columns: Record<Group, string[]>) =>
  sql.raw(
    [
      ...groups.flatMap((group) => columns[group].map((name) => `${group}.${name} as "${group}.${name}"`)),
      ...beside.map((name) => `(select to_jsonb(one) from (${BESIDE[name]}) one) as "${name}"`),
    ].join(', '),
  );

const SELECT = { brief: select(BRIEF), full: select(FULL) };
const PATHS = { brief: paths(BRIEF), full: paths(FULL) };

function paths(columns: Record<Group, string[]>) {
  return groups.map((group) => ({
    group,
    // A left join without a match leaves every column null, the key too.
    key: `${group}.id`,
    columns: columns[group].map((name) => ({ name, flat: `${group}.${name}` })),
  }));
}

/**
 * `chosen` selects rows of `cvms` with its own limit; only those are joined. (Given a list of IDs instead,
 * the planner has been seen to join all CVMs first.) May be followed by `order by`; aliases are the groups'
 * names.
 */
export const selectCvms = (width: 'brief' | 'full', chosen: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  with cvm as materialized (${chosen})
  select ${SELECT[width]}
  from cvm
  join apps app on app.id = cvm.app_id
  join revisions revision on revision.id = cvm.revision_id
  join teepods teepod on teepod.id = cvm.teepod_id
  join nodes node on node.id = teepod.node_id
  left join lateral (
    select operations.*, ${rollsBack('operations')} as rolls_back
    from operations where operations.cvm_id = cvm.id order by operations.id desc limit 1
  ) latest_operation on true`;

type Flat = Record<string, unknown>;

export function briefCvm(flat: Flat): BriefCvm {
  return nest(flat, 'brief') as unknown as BriefCvm;
}

export function joinedCvm(flat: Flat): JoinedCvm {
  return nest(flat, 'full') as unknown as JoinedCvm;
}

function nest(flat: Flat, width: 'brief' | 'full'): Record<string, unknown> {
  const row: Record<string, Record<string, unknown> | null> = {};
  for (const { group, key, columns } of PATHS[width]) {
    if (ownValue(flat, key) === null) {
      row[group] = null;
      continue;
    }
    const part: Record<string, unknown> = {};
    for (const { name, flat: from } of columns) part[name] = ownValue(flat, from);
    row[group] = part;
  }
  for (const name of beside) row[name] = flat[name] as Record<string, unknown> | null;
  const latest = row.latest_operation;
  // A CVM has at most one live operation and can't start another, so the live one is the latest.
  row.operation = latest && isLive(latest.state as OperationState) ? latest : null;
  return row;
}
