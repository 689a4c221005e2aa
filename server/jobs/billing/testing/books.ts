import { sql } from 'kysely';
import { lockLedger, post } from '../../../db/billing/ledger';
import { withTransaction } from '../../../db/core/client';
import { transfer, type GrantSource } from '../../../domain/billing/ledger';
import type { Coverage } from '../../../domain/billing/metering';
import { publicId } from '../../../domain/core/publicId';
import { insertApp, insertCvm, insertHost, type TestApp, type TestHost } from '../../../testing/cvmFixtures';
import type { TestDatabase } from '../../../testing/database';

/** A point in time of a history: `running` from then on, or with another size. */
export type Point = [status: string, at: string, size?: Partial<Size>];

interface Size {
  vcpu: number;
  disk_gb: number;
  hourly_rate_micros: number;
  gpu_rate_micros: number;
  disk_rate_micros: number;
  order_id: number | null;
  covers: Coverage | null;
  covered_until: Date | null;
}

/** Fields of a CVM that no order covers and whose rate includes the disk. */
export const UNCOVERED = { disk_rate_micros: 0, order_id: null, covers: null, covered_until: null } as const;

const SIZE: Size = { vcpu: 1, disk_gb: 20, hourly_rate_micros: 58_000, gpu_rate_micros: 0, ...UNCOVERED };

/** Creates teams with CVMs whose history the test writes. */
export async function startBooks({ db }: Pick<TestDatabase, 'db'>) {
  const host: TestHost = await insertHost(db, { name: 'metered' });
  let count = 0;

  async function team(): Promise<number> {
    const slug = `books-${++count}`;
    const { id } = await db
      .insertInto('teams')
      .values({ public_id: publicId('wks'), slug, name: slug, wallet_address: '0x' } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** Creates a CVM with exactly these state changes. @returns its ID */
  async function cvm(team_id: number, history: readonly Point[]): Promise<number> {
    const app: TestApp = await insertApp(db, { team_id, host, name: `app-${++count}` });
    const { id } = await insertCvm(db, { ...app, host });
    await sql`delete from cvm_state_changes where cvm_id = ${id}`.execute(db);
    for (const point of history) await change(id, point);
    const began = new Date(history[0]![1]);
    await sql`update usage_meters set billed_from = ${began}, closed_until = ${began} where cvm_id = ${id}`.execute(
      db,
    );
    return id;
  }

  async function change(cvm_id: number, [status, at, size]: Point): Promise<void> {
    await db
      .insertInto('cvm_state_changes')
      .values({ cvm_id, status, memory_mb: 2048, ...SIZE, ...size, at: new Date(at) })
      .execute();
  }

  async function lines(cvm_id: number) {
    const rows = await db
      .selectFrom('usage_lines')
      .selectAll()
      .where('cvm_id', '=', cvm_id)
      .orderBy('id')
      .execute();
    return rows.map((line) => ({
      ...line,
      seconds: (line.ends_at.getTime() - line.starts_at.getTime()) / 1000,
    }));
  }

  const transactions = (team_id: number) =>
    db.selectFrom('ledger_transactions').selectAll().where('team_id', '=', team_id).orderBy('seq').execute();

  /** Returns the team's charges, in micro-dollars. */
  async function charged(team_id: number): Promise<number> {
    const row = await db
      .selectFrom('ledger_balances')
      .select('amount_micros')
      .where('team_id', '=', team_id)
      .where('account', '=', 'revenue')
      .executeTakeFirst();
    return row?.amount_micros ?? 0;
  }

  /** Adds prepaid money. */
  const topUp = (team_id: number, amount: number) =>
    withTransaction(db, async (trx) => {
      await lockLedger(trx, team_id);
      return post(trx, {
        team_id,
        kind: 'top_up',
        source_type: 'test',
        source_id: String(++count),
        description: 'Top-up',
        effective_at: new Date(),
        entries: transfer('cash:test', 'prepaid', amount),
      });
    });

  /** Grants credits. @returns the grant's public ID */
  const grant = (
    team_id: number,
    amount: number,
    expires_at: string | null,
    source: GrantSource = 'support',
  ) =>
    withTransaction(db, async (trx) => {
      await lockLedger(trx, team_id);
      const public_id = publicId('cre');
      await trx
        .insertInto('credit_grants')
        .values({
          public_id,
          team_id,
          source,
          reason: 'Test',
          amount_micros: amount,
          expires_at: expires_at === null ? null : new Date(expires_at),
          created_by: null,
        })
        .execute();
      await post(trx, {
        team_id,
        kind: 'credit_grant',
        source_type: 'credit_grant',
        source_id: public_id,
        description: 'Credit',
        effective_at: new Date(),
        entries: [
          { account: 'promotion', amount: -amount },
          { account: 'credits', amount, grant: public_id },
        ],
      });
      return public_id;
    });

  const remaining = async (public_id: string) =>
    (
      await db
        .selectFrom('credit_grants')
        .select('remaining_micros')
        .where('public_id', '=', public_id)
        .executeTakeFirstOrThrow()
    ).remaining_micros;

  return { team, cvm, change, lines, transactions, charged, topUp, grant, remaining };
}

export type Books = Awaited<ReturnType<typeof startBooks>>;
