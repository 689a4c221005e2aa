import { sql } from 'kysely';
import { OPEN_ORDER } from '../../../console/lib/billing/allowedActions';
import type { Db, Tx } from '../core/client';
import { fundsOf } from '../billing/funds';
import { liveCvms, type TeamCvm } from './teams';

/** What blocks deleting a team, and what ends with the team. */
export interface TeamDeletion {
  cvm_count: number;
  /** In the recycle bin. */
  recycled: number;
  /** The first few of them. */
  cvms: TeamCvm[];
  /** Micro-dollars; negative if the team owes. */
  balance: number;
  /** Part of the balance held for AI requests and refunds in progress. */
  held: number;
  /** Payments without any money, which are canceled. */
  payments: number;
  /** Orders that end. */
  orders: number;
}

/** Returns what deleting a team would do now. */
export async function deletionOf(db: Db | Tx, team_id: number, cvms_shown: number): Promise<TeamDeletion> {
  const { rows } = await sql<Pick<TeamDeletion, 'cvm_count' | 'recycled' | 'payments' | 'orders'>>`
    select (select count(*)::int from cvms where team_id = ${team_id} and deleted_at is null) as cvm_count,
      (select count(*)::int from cvms where team_id = ${team_id} and purge_at is not null) as recycled,
      (select count(*)::int from payments where team_id = ${team_id} and state = 'pending') as payments,
      (select count(*)::int from orders where team_id = ${team_id} and state = any(${[...OPEN_ORDER]})) as orders`.execute(
    db,
  );
  const [counts] = rows;
  if (!counts) throw new Error('the counts are missing');
  const { balance, held } = await fundsOf(db, team_id);
  return { ...counts, cvms: await liveCvms(db, team_id, cvms_shown), balance, held };
}
