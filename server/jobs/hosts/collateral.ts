import type { Logger } from 'pino';
import type { Collateral, Evidence } from '../../../console/lib/attestation/types';
import type { Db } from '../../db/core/client';
import { findCollateral, keepEvidence, saveCollateral } from '../../db/attestation/evidence';
import { chipFamily, type ChipFamily } from '../../domain/attestation/chipFamily';
import type { GuestEvidence } from '../../domain/attestation/guestEvidence';
import { CollateralError, type CollateralDriver } from '../../drivers/collateral';

export interface CollateralWorld {
  readonly db: Db;
  /** Null: PCCS_URL is not set. */
  readonly collateral: CollateralDriver | null;
  readonly log: Logger;
}

interface CollateralAnswer {
  collateral: Collateral | null;
  /** Why there is no collateral, or why it is outdated. */
  error: string | null;
}

/**
 * Intel publishes more often than required: collateral is valid until expiry, but fetched again after a day.
 */
const FRESH_MS = 24 * 60 * 60 * 1000;
/** After a failure, callers get the same error for this long instead of waiting again. */
const QUIET_MS = 30_000;

interface Asked {
  until: number;
  answer: Promise<CollateralAnswer>;
}
const asked = new WeakMap<CollateralDriver, Map<string, Asked>>();

/**
 * Returns collateral for a chip family, from the database while valid, otherwise fetched. Never throws
 * because of the service.
 */
async function collateralFor(ctx: CollateralWorld, family: ChipFamily): Promise<CollateralAnswer> {
  const kept = await findCollateral(ctx.db, family);
  const good = kept !== undefined && kept.next_update.getTime() > Date.now();
  const fromKept = good ? (JSON.parse(kept.content) as Collateral) : null;
  if (good && Date.now() - kept.fetched_at.getTime() < FRESH_MS) return { collateral: fromKept, error: null };
  if (!ctx.collateral)
    return {
      collateral: fromKept,
      error: fromKept ? null : "This server doesn't fetch Intel's collateral (PCCS_URL is not set).",
    };
  const fetched = await once(ctx.collateral, family, () => fetchAndSave(ctx, ctx.collateral!, family));
  if (fetched.collateral || !fromKept) return fetched;
  return {
    collateral: fromKept,
    error:
      `${fetched.error ?? ''} The collateral fetched ${kept?.fetched_at.toISOString() ?? 'before'} is still valid and was used.`.trim(),
  };
}

/** Sends one request at a time per family; a failure is remembered for `QUIET_MS`. */
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
  ctx: Pick<CollateralWorld, 'db' | 'log'>,
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

/** The content of `evidence.content`. */
export interface KeptEvidence {
  /** PEM. */
  chain: string | null;
  evidence: Evidence;
}

/** Adds Intel's collateral to a guest's evidence, and stores both for the CVM's owner. */
export async function completeEvidence(
  world: CollateralWorld,
  cvm: { id: number; team_id: number },
  { evidence, certificate_chain }: Pick<GuestEvidence, 'evidence' | 'certificate_chain'>,
): Promise<{ evidence: Evidence; collateral_error: string | null }> {
  const family = evidence.quote === undefined ? null : chipFamily(evidence.quote);
  const { collateral, error } = family
    ? await collateralFor(world, family)
    : {
        collateral: null,
        error:
          evidence.quote === undefined
            ? null
            : "The quote doesn't name a platform, so Intel's collateral can't be requested.",
      };
  const whole: Evidence = { ...evidence, ...(collateral ? { collateral } : {}) };
  await keepEvidence(world.db, {
    team_id: cvm.team_id,
    cvm_id: cvm.id,
    content: JSON.stringify({ chain: certificate_chain, evidence: whole } satisfies KeptEvidence),
  });
  return { evidence: whole, collateral_error: error };
}
