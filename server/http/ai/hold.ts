import { formatUsd } from '../../../console/lib/billing/money';
import { insertAiHold } from '../../db/ai/aiCharges';
import { aiKeyUse, type LiveAiKey } from '../../db/ai/aiKeys';
import { refusingBudget } from '../../db/billing/budgets';
import { fundsOf } from '../../db/billing/funds';
import { lockFunds } from '../../db/billing/holds';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { AiError } from '../../domain/ai/aiError';
import { keyBudgetText, leftOfKeyBudget } from '../../domain/ai/keyBudget';
import { sequencesOf, type ModelRequest } from '../../domain/ai/modelRequest';
import type { ServedModel } from '../../domain/ai/models';
import { affordableTokens, worstCaseMicros, type TokenBounds } from '../../domain/ai/worstCase';
import { budgetRefusal } from '../../domain/billing/budget';
import { availableFunds, payable, type Funds } from '../../domain/billing/funds';
import type { Services } from '../../operations/types';

export interface Priced {
  id: string;
  key: LiveAiKey;
  model: ServedModel;
  /** Null if this server doesn't see it, as behind a gateway in a TEE. */
  request: ModelRequest | null;
  bounds: TokenBounds;
}

/**
 * Creates what sets aside the most that a request can cost, until it is settled. It throws an `AiError` 402 if the team doesn't
 * have it, or a budget of the team or the key is used up.
 * @param write stores what belongs to the request, in the same transaction; its result is returned
 */
export function createHolds<P extends Priced, T>(
  { db, config }: Pick<Services, 'db' | 'config'>,
  write: (db: Db | Tx, request: P) => Promise<T>,
): (request: P) => Promise<T> {
  const inTurn = createTurns();

  const checkBudgets = async (db: Db | Tx, { team_id, team_slug: slug }: LiveAiKey) => {
    const budget = await refusingBudget(db, team_id, { app_id: null, actions: ['stop'], now: new Date() });
    if (!budget) return;
    const { message, info } = budgetRefusal(budget, { slug, publicUrl: config.publicUrl });
    throw quota([message, ...(info.links ?? []).map(({ url }) => `Raise it at ${url}.`)].join(' '));
  };

  const checkKey = async (trx: Tx, request: Priced, required: number) => {
    const { id, budget_micros, budget_period } = request.key;
    if (budget_micros === null) return;
    const use = await aiKeyUse(trx, id);
    const left = leftOfKeyBudget(budget_micros, use);
    if (left >= required) return;
    const refused = { budget_micros, budget_period, required, left, held: use.held_micros };
    throw quota(keyBudgetText(refused, new Date()) + smallerText(request, left));
  };

  const checkFunds = async (trx: Tx, request: Priced, required: number) => {
    const funds = await fundsOf(trx, request.key.team_id);
    if (availableFunds(funds) < required)
      throw quota(missingText(request, required, funds, config.publicUrl));
  };

  /** What is held bounds what requests in progress can spend together. */
  const isHeld = ({ key }: Priced, amount: number) =>
    amount > 0 && (config.billingEnforced || key.budget_micros !== null);

  const hold = async (trx: Tx, request: Priced, amount_micros: number) => {
    const { id: key_id, team_id } = request.key;
    await lockFunds(trx, team_id);
    await checkBudgets(trx, request.key);
    await checkKey(trx, request, amount_micros);
    if (config.billingEnforced) await checkFunds(trx, request, amount_micros);
    await insertAiHold(trx, { request_id: request.id, team_id, key_id, amount_micros });
  };

  return async (request) => {
    const amount = worstCaseMicros(request.bounds, request.model.prices);
    if (isHeld(request, amount))
      return inTurn(request.key.team_id, () =>
        withTransaction(db, async (trx) => {
          await hold(trx, request, amount);
          return write(trx, request);
        }),
      );
    if (amount > 0) await checkBudgets(db, request.key);
    return write(db, request);
  };
}

/** OpenAI clients know this code; repeating the request changes nothing. */
const quota = (text: string) =>
  new AiError(402, 'insufficient_quota', 'insufficient_quota', text, { retry: false });

function missingText(priced: Priced, required: number, funds: Funds, publicUrl: string): string {
  const { key } = priced;
  const available = availableFunds(funds);
  const held =
    funds.held > 0
      ? `, ${formatUsd(funds.held)} of it set aside for CVMs that are starting and requests in progress`
      : '';
  return (
    `This request can cost up to ${formatUsd(required)}, but the team has ${formatUsd(funds.balance + funds.cap)} to spend${held}. ` +
    `${formatUsd(required - available)} is missing. ` +
    `Add at least ${formatUsd(payable(required - available))} at ${publicUrl}/setup-billing?team=${encodeURIComponent(key.team_slug)}.${smallerText(priced, available)}`
  );
}

/** Says with which limit the request would cost at most this much, if there is one. */
function smallerText({ model, request, bounds }: Priced, micros: number): string {
  if (!request) return '';
  const tokens = affordableTokens(bounds, model.prices, micros);
  const most = tokens === null ? 0 : Math.floor(tokens / sequencesOf(request));
  const member = request.endpoint === 'responses' ? 'max_output_tokens' : 'max_tokens';
  return most > 0 ? ` Or set ${member} to ${most} or less.` : '';
}

/**
 * Runs one function per team at a time: the others would each wait for the team's lock with a database connection that all
 * teams need.
 */
function createTurns() {
  const last = new Map<number, Promise<unknown>>();
  return async <T>(team_id: number, run: () => Promise<T>): Promise<T> => {
    const before = last.get(team_id);
    const own = before ? before.then(run) : run();
    const settled = own.catch(() => undefined);
    last.set(team_id, settled);
    try {
      return await own;
    } finally {
      if (last.get(team_id) === settled) last.delete(team_id);
    }
  };
}
