import { expect } from 'vitest';
import type { AdminOrderProduct, Order, OrderProduct } from '../../../../../generated/api/types.gen';
import { startBooks, type Books } from '../../../../jobs/billing/testing/books';
import { watchOrders } from '../../../../jobs/billing/watchOrders';
import type { CvmChange, CvmRow } from '../../../../db/cvms/cvmsTable';
import { identityOf, insertApp, insertCvm, insertHost, type TestHost } from '../../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../../testing/server';

let keys = 0;
export const once = () => ({ 'idempotency-key': `order-${++keys}` });

/** Returns status and code of an error reply. */
export const code = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { code?: string }).code,
];

interface OrderingTeam {
  client: TestClient;
  team_id: number;
  /** Adds a CVM; by default running, tdx.small and at the catalog price. */
  cvm(change?: CvmChange): Promise<CvmRow>;
  orders(): Promise<Order[]>;
  /** Prepaid funds and credits as posted, in micro-dollars. */
  posted(): Promise<number>;
}

export interface OrderServer {
  server: TestServer;
  admin: TestClient;
  books: Books;
  team(funds: number): Promise<OrderingTeam>;
  /** Offers a product: $20 a month for a tdx.small. */
  offer(body?: Record<string, unknown>): Promise<AdminOrderProduct>;
  /** Orders a product with the offer's version and total, unless `body` overrides them. */
  order(
    client: TestClient,
    product: AdminOrderProduct,
    body?: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: unknown }>;
  ordered(client: TestClient, product: AdminOrderProduct, body?: Record<string, unknown>): Promise<Order>;
  offered(client: TestClient, product: AdminOrderProduct): Promise<OrderProduct | undefined>;
  /** Runs the job as of the given time. */
  tick(now?: Date): Promise<void>;
  covered(cvm: Pick<CvmRow, 'id'>): Promise<string | null>;
}

/** A server without a worker: tests run the job. */
export async function startOrderServer(env: Record<string, string> = {}): Promise<OrderServer> {
  const server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', ...env } });
  const { db, log } = server.services;
  const admin = await server.register();
  const books = await startBooks(server.services);
  const host: TestHost = await insertHost(db, { name: 'reserved' });
  let count = 0;

  async function team(funds: number): Promise<OrderingTeam> {
    const client = await server.register();
    const who = await identityOf(db, client.email ?? '');
    if (funds > 0) await books.topUp(who.team_id, funds);
    const app = await insertApp(db, { ...who, host, name: `reserved-${++count}` });
    return {
      client,
      team_id: who.team_id,
      cvm: (change) => insertCvm(db, { ...app, host, ...(change ? { change } : {}) }),
      orders: async () => ((await client.call('listOrders')).body as { items: Order[] }).items,
      posted: async () => {
        const rows = await db
          .selectFrom('ledger_balances')
          .select('amount_micros')
          .where('team_id', '=', who.team_id)
          .where('account', 'in', ['prepaid', 'credits'])
          .execute();
        return rows.reduce((sum, { amount_micros }) => sum + amount_micros, 0);
      },
    };
  }

  async function offer(body: Record<string, unknown> = {}): Promise<AdminOrderProduct> {
    const { status, body: made } = await admin.call('createAdminOrderProduct', {
      body: {
        name: `Small for a month ${++count}`,
        instance_type: 'tdx.small',
        period: 'month',
        price: '20.00',
        stock: 10,
        ...body,
      },
    });
    expect(status, JSON.stringify(made)).toBe(201);
    return made as AdminOrderProduct;
  }

  const order: OrderServer['order'] = (client, product, body = {}, headers = once()) => {
    const periods = typeof body.periods === 'number' ? body.periods : product.min_periods;
    return client.call('createOrder', {
      headers,
      body: {
        product_id: product.public_id,
        periods,
        version: product.version,
        total: (Number(product.price) * periods).toFixed(2),
        ...body,
      } as never,
    });
  };

  return {
    server,
    admin,
    books,
    team,
    offer,
    order,
    async ordered(client, product, body) {
      const answer = await order(client, product, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body as Order;
    },
    async offered(client, product) {
      const { body } = await client.call('listOrderProducts');
      return (body as { items: OrderProduct[] }).items.find(({ id }) => id === product.public_id);
    },
    tick: (now = new Date()) => watchOrders({ db, log, now }),
    async covered({ id }) {
      const row = await db
        .selectFrom('cvms as c')
        .leftJoin('orders as o', 'o.id', 'c.order_id')
        .select('o.public_id')
        .where('c.id', '=', id)
        .executeTakeFirstOrThrow();
      return row.public_id;
    },
  };
}
