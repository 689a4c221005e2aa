import type { Evidence } from '../../../generated/api/types.gen';
import { keepEvidence, lastEvidence } from '../../db/evidence';
import type { JoinedCvm } from '../../db/cvmRows';
import { chipFamily } from '../../domain/chip';
import { guestEvidence } from '../../domain/guestEvidence';
import { askGuest } from '../cvms/askGuest';
import type { Context } from '../types';
import { collateralFor } from './collateral';

export interface Collected {
  is_online: boolean;
  error: string | null;
  source: 'guest' | 'kept' | null;
  collected_at: Date | null;
  evidence: Evidence | null;
  collateral_error: string | null;
  /** PEM. */
  certificate_chain: string | null;
}

/** What `evidence.content` holds. */
interface Kept {
  chain: string | null;
  evidence: Evidence;
}

/** Asks the guest for evidence and adds Intel's statements; of a guest that does not answer, what was kept. */
export async function collectEvidence(ctx: Context, row: JoinedCvm): Promise<Collected> {
  const { cvm, revision, teepod } = row;
  const { value, error } = await askGuest(ctx, row, (guest, id, options) => guest.info(id, options));
  if (value === null) return kept(ctx, row, error);
  const { evidence, gaps, certificate_chain } = guestEvidence(value, {
    app_compose: revision.app_compose,
    local: teepod.kind === 'local',
    public_tcbinfo: cvm.public_tcbinfo,
  });
  const family = evidence.quote === undefined ? null : chipFamily(evidence.quote);
  const { collateral, error: collateral_error } = family
    ? await collateralFor(ctx, family)
    : {
        collateral: null,
        error:
          evidence.quote === undefined
            ? null
            : 'The quote names no platform that Intel’s statements could be asked for.',
      };
  const whole: Evidence = {
    ...(evidence as Omit<Evidence, 'collateral'>),
    ...(collateral ? { collateral } : {}),
  };
  await keepEvidence(ctx.db, {
    team_id: cvm.team_id,
    cvm_id: cvm.id,
    content: JSON.stringify({ chain: certificate_chain, evidence: whole } satisfies Kept),
  });
  return {
    is_online: true,
    error: gaps.length > 0 ? gaps.join(' ') : null,
    source: 'guest',
    collected_at: new Date(),
    evidence: whole,
    collateral_error,
    certificate_chain,
  };
}

async function kept(ctx: Context, { cvm }: JoinedCvm, error: string): Promise<Collected> {
  const nothing = {
    is_online: false,
    error,
    source: null,
    collected_at: null,
    evidence: null,
    collateral_error: null,
    certificate_chain: null,
  };
  const last = await lastEvidence(ctx.db, { team_id: cvm.team_id, cvm_id: cvm.id });
  if (!last) return nothing;
  const { chain, evidence } = JSON.parse(last.content) as Kept;
  return {
    ...nothing,
    source: 'kept',
    collected_at: last.seen_at,
    evidence,
    certificate_chain: chain,
  };
}
