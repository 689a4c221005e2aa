import { sql, type RawBuilder } from 'kysely';

/*
 * Targets whose records have a page in the admin area, or a name. For other kinds, only the entry's own fields
 * are known.
 */

/**
 * The target of entry `l` as a number: null for other kinds of IDs, and for numbers that no record can have.
 */
const number = sql`case when l.target_id ~ '^[0-9]{1,9}$' then l.target_id::int end`;

const named = (
  kind: string,
  resource: string | null,
  { id, name, from }: Record<'id' | 'name' | 'from', RawBuilder<unknown>>,
) => sql`select ${sql.lit(resource)}::text as resource, ${id}::text as id, ${name} as name from ${from}
  and l.target_kind = ${sql.lit(kind)}`;

/** @param name SQL for the name of record `x` */
const numbered = (kind: string, resource: string, table: string, name: RawBuilder<unknown>) =>
  named(kind, resource, {
    id: sql`x.id`,
    name,
    from: sql`${sql.table(table)} x where x.id = ${number}`,
  });

/** @param name SQL for the name of record `x` */
const published = (kind: string, resource: string, table: string, name: RawBuilder<unknown>, id = 'id') =>
  named(kind, resource, {
    id: sql.ref(`x.${id}`),
    name,
    from: sql`${sql.table(table)} x where x.public_id = l.target_id`,
  });

const own = (column: string) => sql.ref(`x.${column}`);

/** Formats micro-dollars as "$1,250.00", with up to six decimals. */
const usd = (micros: RawBuilder<unknown>) =>
  sql`'$' || to_char(${micros}::numeric / 1000000, 'FM999,999,999,990.009999')`;

/** Formats as "Restart CVMs (2)". */
const bulkJob = sql`initcap(replace(x.action, '-', ' ')) || ' ' || case x.resource when 'cvms' then 'CVMs' when 'gpus' then 'GPUs'
  when 'kms' then 'KMS' when 'kms-contracts' then 'KMS contracts' when 'ai-upstreams' then 'AI upstreams'
  when 'outbox' then 'emails' else replace(x.resource, '-', ' ') end || ' (' || x.total || ')'`;

/** A lateral select of the resource, ID and name of the record that entry `l` changed; no row without one. */
export const targetRecord = sql`(${sql.join(
  [
    published('user', 'users', 'users', own('username')),
    published('team', 'workspaces', 'teams', own('name')),
    published('cvm', 'cvms', 'cvms', own('name'), 'vm_uuid'),
    named('app', 'apps', {
      id: sql`x.app_id`,
      name: sql`x.name`,
      from: sql`apps x where x.app_id = l.target_id`,
    }),
    // The built-in one registers itself by name.
    named('teepod', 'teepods', {
      id: sql`x.id`,
      name: sql`x.name`,
      from: sql`teepods x where (x.id = ${number} or x.kind = 'local' and x.name = l.target_id)`,
    }),
    numbered('node', 'nodes', 'nodes', own('name')),
    numbered('gateway', 'gateways', 'gateways', own('base_domain')),
    numbered('kms', 'kms', 'kms', own('slug')),
    numbered('kms_contract', 'kms-contracts', 'kms_contracts', own('label')),
    numbered('announcement', 'announcements', 'announcements', own('title')),
    numbered('ai_upstream', 'ai-upstreams', 'ai_upstreams', own('name')),
    numbered('ai_gateway', 'ai-gateways', 'ai_gateways', own('name')),
    numbered('audit_destination', 'audit-destinations', 'audit_destinations', own('name')),
    numbered('maintenance_window', 'maintenance-windows', 'maintenance_windows', own('reason')),
    numbered('alert', 'alerts', 'alerts', own('title')),
    numbered('mail', 'outbox', 'outbox', own('subject')),
    numbered('admin_bulk_job', 'bulk-jobs', 'admin_bulk_jobs', bulkJob),
    numbered(
      'drain',
      'drains',
      'drains',
      sql`'Drain of ' || (select p.name from teepods p where p.id = x.teepod_id)`,
    ),
    numbered(
      'finance_action',
      'finance-actions',
      'finance_actions',
      sql`upper(left(x.action, 1)) || replace(substr(x.action, 2), '_', ' ')`,
    ),
    published('credit', 'credits', 'credit_grants', sql`'Credit of ' || ${usd(own('amount_micros'))}`),
    published('payment', 'payments', 'payments', sql`'Payment of ' || ${usd(own('amount_micros'))}`),
    published('order', 'orders', 'orders', own('name')),
    // A debt has no page; its team's page shows the amount due.
    named('debt', 'workspaces', {
      id: sql`t.id`,
      name: sql`'Debt of ' || t.name`,
      from: sql`debts x join teams t on t.id = x.team_id where x.public_id = l.target_id`,
    }),
    published('order_product', 'order-products', 'order_products', own('name')),
    // Only shown to callers who may read addresses.
    named('invitation', null, {
      id: sql`null`,
      name: sql`'Invitation as ' || x.role`,
      from: sql`invitations x where x.public_id = l.target_id`,
    }),
  ],
  sql` union all `,
)})`;
