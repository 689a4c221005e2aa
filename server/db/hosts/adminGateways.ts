import { sql } from 'kysely';
import type { AdminGateway } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Db, Tx } from '../core/client';
import type { GatewayRow } from './gatewaysTable';

export interface AdminGatewayRow extends GatewayRow {
  has_credential: boolean;
  teepod_count: number;
}

export const adminGateways: AdminListSource<AdminGatewayRow> = {
  fields: {
    id: 'integer',
    base_domain: 'text',
    url: 'text',
    has_credential: 'boolean',
    teepod_count: 'integer',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminGateway, AdminFieldKind>,
  searched: ['base_domain', 'url'],
  select: sql<AdminGatewayRow>`
    select g.*, g.sealed_credential is not null as has_credential,
           (select count(*)::int from teepods t where t.gateway_base_domain = g.base_domain) as teepod_count
    from gateways g`,
};

export const lockGateway = (trx: Tx, id: number) =>
  trx.selectFrom('gateways').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export const findGateway = (db: Db, id: number) =>
  db.selectFrom('gateways').selectAll().where('id', '=', id).executeTakeFirst();

/** Returns the CVMs with these instance IDs. */
export const cvmsByInstance = (db: Db, instance_ids: readonly string[]) =>
  instance_ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('cvms')
        .select(['instance_id', 'vm_uuid', 'name'])
        .where('instance_id', 'in', [...instance_ids])
        .where('deleted_at', 'is', null)
        .execute();
