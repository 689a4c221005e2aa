import { formatUsd } from '../../../console/lib/billing/money';
import { insertAiHolds } from '../../db/ai/aiCharges';
import { aiKeyUse, type AiKeyUse, type LiveAiKey } from '../../db/ai/aiKeys';
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
import { createBatches } from './batches';

export interface Priced {
  id: string;
  key: LiveAiKey;
  model: ServedModel;
  /** Null if this server doesn't see it, as with gateways in a TEE. */
  request: ModelRequest | null;
  bounds: TokenBounds;
}

interface Asked<P> {
  request: P;
  /** Its maximum cost. */
  amount: number;
}

type Held<T> = { refusal: AiError } | { refusal: null; written: T };

/** Maximum requests of a team decided together under one funds lock. */
const MAX_CONCURRENT = 50;

/**
 * Creates the function that holds a request's maximum cost until it is settled. It throws an `AiError` 402 if the
 * team lacks the funds, or a budget of the team or key is used up.
 * @param write stores the request's own rows in the same transaction; its result is returned
 */
export function createHolds<P extends Priced, T>(
  { db, config }: Pick<Services, 'db' | 'config'>,
  write: (db: Db | Tx, request: P) => Promise<T>,
): (request: P) => Promise<T> {
  const budgetError = async (
    to: Db | Tx,
    { team_id, team_slug: slug }: LiveAiKey,
  ): Promise<AiError | null> => {
    const budget = await refusingBudget(to, team_id, { app_id: null, actions: ['stop'], now: new Date() });
    if (!budget) return null;
    const { message, info } = budgetRefusal(budget, { slug, publicUrl: config.publicUrl });
    return quota([message, ...(info.links ?? []).map(({ url }) => `Raise it at ${url}.`)].join(' '));
  };

  const keyError = (request: Priced, use: AiKeyUse | undefined, required: number): AiError | null => {
    const { budget_micros, budget_period } = request.key;
    if (budget_micros === null || !use) return null;
    const left = leftOfKeyBudget(budget_micros, use);
    if (left >= required) return null;
    const refused = { budget_micros, budget_period, required, left, held: use.held_micros };
    return quota(keyBudgetText(refused, new Date()) + smallerText(request, left));
  };

  const fundsError = (request: Priced, funds: Funds | null, required: number): AiError | null =>
    funds === null || availableFunds(funds) >= required
      ? null
      : quota(missingText(request, required, funds, config.publicUrl));

  /** Holds bound the total that requests in progress can spend. */
  const isHeld = ({ key }: Priced, amount: number) =>
    amount > 0 && (config.billingEnforced || key.budget_micros !== null);

  /** Decides a team's requests as if they had arrived one after another. */
  const holdAll = async (trx: Tx, asked: readonly Asked<P>[], first: LiveAiKey): Promise<Held<T>[]> => {
    const { team_id } = first;
    await lockFunds(trx, team_id);
    const usedUp = await budgetError(trx, first);
    const funds = config.billingEnforced ? await fundsOf(trx, team_id) : null;
    const uses = new Map<number, AiKeyUse>();
    for (const { key } of asked.map(({ request }) => request))
      if (key.budget_micros !== null && !uses.has(key.id)) uses.set(key.id, await aiKeyUse(trx, key.id));

    const decided = asked.map(({ request, amount }) => {
      const use = uses.get(request.key.id);
      const refusal = usedUp ?? keyError(request, use, amount) ?? fundsError(request, funds, amount);
      if (!refusal && funds) funds.held += amount;
      if (!refusal && use) use.held_micros += amount;
      return { request, amount, refusal };
    });
    await insertAiHolds(
      trx,
      decided
        .filter(({ refusal }) => refusal === null)
        .map(({ request: { id, key }, amount }) => ({
          request_id: id,
          team_id,
          key_id: key.id,
          amount_micros: amount,
        })),
    );
    const results: Held<T>[] = [];
    for (const { request, refusal } of decided)
      results.push(refusal ? { refusal } : { refusal, written: await write(trx, request) });
    return results;
  };

  // Together, because otherwise each would wait for the team's lock while holding a database connection.
  const hold = createBatches<Asked<P>, Held<T>>({
    run: (asked) => withTransaction(db, (trx) => holdAll(trx, asked, asked[0]!.request.key)),
    most: MAX_CONCURRENT,
    groupOf: ({ request }) => request.key.team_id,
  });

  return async (request) => {
    const amount = worstCaseMicros(request.bounds, request.model.prices);
    if (isHeld(request, amount)) {
      const held = await hold({ request, amount });
      if (held.refusal) throw held.refusal;
      return held.written;
    }
    const isDoubtful = amount > 0 && request.key.has_used_up_budget;
    const refusal = isDoubtful ? await budgetError(db, request.key) : null;
    if (refusal) throw refusal;
    return write(db, request);
  };
}

/** OpenAI clients know this code and don't retry. */
const quota = (text: string) =>
  new AiError(402, 'insufficient_quota', 'insufficient_quota', text, { retry: false });

function missingText(priced: Priced, required: number, funds: Funds, publicUrl: string): string {
  const { key } = priced;
  const available = availableFunds(funds);
  const held =
    funds.held > 0
      ? `, ${formatUsd(funds.held)} of it set aside for the first hour of CVMs and requests in progress`
      : '';
  return (
    `This request can cost up to ${formatUsd(required)}, but the team has ${formatUsd(funds.balance + funds.cap)} to spend${held}. ` +
    `The team is ${formatUsd(required - available)} short. ` +
    `Add at least ${formatUsd(payable(required - available))} at ${publicUrl}/setup-billing?team=${encodeURIComponent(key.team_slug)}.${smallerText(priced, available)}`
  );
}

/** Suggests the token limit at which the request would cost at most this much, if any. */
function smallerText({ model, request, bounds }: Priced, micros: number): string {
  if (!request) return '';
  const tokens = affordableTokens(bounds, model.prices, micros);
  const most = tokens === null ? 0 : Math.floor(tokens / sequencesOf(request));
  const member = request.endpoint === 'responses' ? 'max_output_tokens' : 'max_tokens';
  return most > 0 ? ` Or set ${member} to ${most} or less.` : '';
}
