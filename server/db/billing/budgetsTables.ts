import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { BudgetAction, BudgetPeriod } from '../../domain/billing/budget';

/** One row per budget. The last five columns are written by the budget job (migration 0070_budgets). */
export interface BudgetsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  /** Null: the whole team. */
  app_id: number | null;
  period: ColumnType<BudgetPeriod, BudgetPeriod, never>;
  amount_micros: number;
  /** Percentages, in ascending order. */
  alerts: number[];
  action: BudgetAction;
  created_at: ColumnType<Date, never, never>;
  updated_at: Generated<Date>;
  /** The period that the columns below are about. */
  period_start: Generated<Date>;
  alerted: Generated<number>;
  used_up_at: Generated<Date | null>;
  /** Posted metered usage of the period, as of entry `posted_seq` of the team's ledger. */
  posted_micros: Generated<number>;
  posted_seq: Generated<number>;
}

export type BudgetRow = Selectable<BudgetsTable>;

/** CVMs stopped by a budget, until they start again. */
export interface BudgetStopsTable {
  cvm_id: number;
  budget_id: number;
  stopped_at: Generated<Date>;
}
