import type { Collateral } from '../../../console/lib/attestation/types';
import { findCollateral, saveCollateral } from '../../db/evidence';
import type { ChipFamily } from '../../domain/chip';
import { CollateralError, type CollateralDriver } from '../../drivers/collateral';
import type { Context } from '../types';

export interface CollateralAnswer {
  collateral: Collateral | null;
  /** Why there is none, or why it is not today's. */
  error: string | null;
}

/** Intel publishes more often than it must: good until then, but asked for again after a day. */
const FRESH_MS = 24 * 60 * 60 * 1000;
/** After a failure nobody is made to wait for the same one again. */
const QUIET_MS = 30_000;

interface Asked {
  until: number;
  answer: Promise<CollateralAnswer>;
}
const asked = new WeakMap<CollateralDriver, Map<string, Asked>>();

/** Collateral for a family of chips: from the database while it is good, else fetched. Never throws for the service's sake. */
export async function collateralFor(
  ctx: Pick<Context, 'db' | 'collateral' | 'log'>,
  family: ChipFamily,
): Promise<CollateralAnswer> {
  const kept = await findCollateral(ctx.db, family);
  const good = kept !== undefined && kept.next_update.getTime() > Date.now();
  const fromKept = good ? (JSON.parse(kept.content) as Collateral) : null;
  if (good && Date.now() - kept.fetched_at.getTime() < FRESH_MS) return { collateral: fromKept, error: null };
  if (!ctx.collateral)
    return {
      collateral: fromKept,
      error: fromKept ? null : 'This server asks no service for Intel’s statements (PCCS_URL is not set).',
    };
  const fetched = await once(ctx.collateral, family, () => fetchAndSave(ctx, ctx.collateral!, family));
  if (fetched.collateral || !fromKept) return fetched;
  return {
    collateral: fromKept,
    error:
      `${fetched.error ?? ''} What was fetched ${kept?.fetched_at.toISOString() ?? 'before'} is still valid and was used.`.trim(),
  };
}

/** One request at a time for one family, whoever asks; a failure is remembered for a moment. */
function once(
  driver: CollateralDriver,
  { fmspc, ca }: ChipFamily,
  ask: () => Promise<CollateralAnswer>,
): Promise<CollateralAnswer> {
  const key = `${fmspc} ${ca}`;
  const running = asked.get(driver) ?? new Map<string, Asked>();
  asked.set(driver, running);
  const now = Date.now();
  for (const [name, one] of running) if (one.until < now) running.delete(name);
  const known = running.get(key);
  if (known) return known.answer;
  const one: Asked = { until: Number.POSITIVE_INFINITY, answer: ask() };
  running.set(key, one);
  void one.answer.then(
    ({ collateral }) => (one.until = collateral ? 0 : Date.now() + QUIET_MS),
    () => (one.until = 0),
  );
  return one.answer;
}

async function fetchAndSave(
  ctx: Pick<Context, 'db' | 'log'>,
  driver: CollateralDriver,
  family: ChipFamily,
): Promise<CollateralAnswer> {
  try {
    const { collateral, next_update } = await driver.fetch(family);
    await saveCollateral(ctx.db, {
      ...family,
      source: driver.source,
      content: JSON.stringify(collateral),
      next_update,
    });
    return { collateral, error: null };
  } catch (error) {
    if (!(error instanceof CollateralError)) throw error;
    ctx.log.warn({ err: error, source: driver.source, ...family, kind: error.kind }, 'no collateral');
    return { collateral: null, error: error.message };
  }
}
