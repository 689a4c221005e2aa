import type { Evidence } from '../../../generated/api/types.gen';
import { lastEvidence } from '../../db/attestation/evidence';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { guestEvidence } from '../../domain/attestation/guestEvidence';
import { completeEvidence, type KeptEvidence } from '../../jobs/hosts/collateral';
import { askGuest } from '../cvms/askGuest';
import type { Services } from '../types';

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

/** Dependencies for collecting evidence. `signal` aborts it. */
export type EvidenceWorld = Pick<Services, 'db' | 'vmm' | 'collateral' | 'log'> & {
  readonly signal: AbortSignal;
};

/**
 * Requests evidence from the guest and adds Intel's collateral. If the guest doesn't respond, returns the
 * stored evidence.
 */
export async function collectEvidence(ctx: EvidenceWorld, row: JoinedCvm): Promise<Collected> {
  const { cvm, revision, teepod } = row;
  const { value, error } = await askGuest(ctx, row, (guest, id, options) => guest.info(id, options));
  if (value === null) return kept(ctx, row, error);
  const found = guestEvidence(value, {
    app_compose: revision.app_compose,
    local: teepod.kind === 'local',
    public_tcbinfo: cvm.public_tcbinfo,
  });
  const { evidence: whole, collateral_error } = await completeEvidence(ctx, cvm, found);
  return {
    is_online: true,
    error: found.gaps.length > 0 ? found.gaps.join(' ') : null,
    source: 'guest',
    collected_at: new Date(),
    evidence: whole as Evidence,
    collateral_error,
    certificate_chain: found.certificate_chain,
  };
}

async function kept(ctx: EvidenceWorld, { cvm }: JoinedCvm, error: string): Promise<Collected> {
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
  const { chain, evidence } = JSON.parse(last.content) as KeptEvidence;
  return {
    ...nothing,
    source: 'kept',
    collected_at: last.seen_at,
    evidence: evidence as Evidence,
    certificate_chain: chain,
  };
}
