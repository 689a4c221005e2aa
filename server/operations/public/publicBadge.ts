import { questionOf } from '../../../console/lib/attestation/answer';
import { DEFAULT_CHOICES } from '../../../console/lib/attestation/expected';
import { verifyEvidence } from '../../../console/lib/attestation/verify';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { badgeOf, STOPPED, type Badge } from '../../domain/public/badge';
import type { Services } from '../types';
import { publicEvidence } from './publicEvidence';
import { publishedApp } from './publicApp';

const FRESH_MS = 300_000;
const REMEMBERED = 1_000;
const WHOLE_MS = 15_000;

interface Known {
  badge: Promise<Badge>;
  until: number;
}

/** Badges of this process, by CVM: pages that show one must not make its guest answer each visitor. */
const known = new Map<string, Known>();

/**
 * Returns the badge of a published app, from the evidence of its first CVM that runs. Verified here at most every five
 * minutes; a badge is a hint, and its link leads to verification in the visitor's browser. @throws NOT_FOUND
 */
export async function publicBadge(
  services: Pick<Services, 'db' | 'vmm' | 'collateral' | 'log'>,
  app_id: string,
): Promise<Badge> {
  const { cvms } = await publishedApp(services, app_id);
  const [row] = cvms;
  if (row.cvm.status !== 'running') return STOPPED;
  // Another revision or another host is another question.
  const key = `${row.cvm.vm_uuid} ${row.revision.compose_hash} ${row.teepod.id}`;
  const now = Date.now();
  const found = known.get(key);
  if (found && found.until > now) return found.badge;
  const badge = verify(services, row);
  known.delete(key);
  known.set(key, { badge, until: now + FRESH_MS });
  if (known.size > REMEMBERED) known.delete(known.keys().next().value ?? '');
  badge.catch(() => known.delete(key));
  return badge;
}

async function verify(
  services: Pick<Services, 'db' | 'vmm' | 'collateral' | 'log'>,
  row: JoinedCvm,
): Promise<Badge> {
  const answer = await publicEvidence({ ...services, signal: AbortSignal.timeout(WHOLE_MS) }, row);
  const { evidence, now, policy } = await questionOf(answer, DEFAULT_CHOICES);
  const { state } = await verifyEvidence(evidence, { now, policy });
  return badgeOf(state, answer.is_online);
}
