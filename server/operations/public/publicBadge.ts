import { questionOf } from '../../../console/lib/attestation/answer';
import { DEFAULT_CHOICES } from '../../../console/lib/attestation/expected';
import { verifyEvidence } from '../../../console/lib/attestation/verify';
import { eachBounded } from '../../../console/lib/eachBounded';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { MAX_SHOWN } from '../../db/public/publicApps';
import { badgeOf, partialBadge, worstBadge, type Badge } from '../../domain/public/badge';
import type { Services } from '../types';
import { publicEvidence } from './publicEvidence';
import { publishedApp } from './publicApp';

const FRESH_MS = 300_000;
const REMEMBERED = 1_000;
/** Limit for all CVMs of an app together. */
const WHOLE_MS = 15_000;
const MAX_CONCURRENT = 8;

interface Known {
  badge: Promise<Badge>;
  until: number;
}

/** Badges cached in this process, by CVM: guests must not be queried for each page view. */
const known = new Map<string, Known>();

/**
 * Returns a published app's badge: the worst of its published, running CVMs. Each is verified at most every five
 * minutes; the badge is a hint, and its link leads to verification in the visitor's browser. @throws NOT_FOUND
 */
export async function publicBadge(
  services: Pick<Services, 'db' | 'vmm' | 'collateral' | 'log'>,
  app_id: string,
): Promise<Badge> {
  const { app, cvms } = await publishedApp(services, app_id);
  const badge = await badgeOfCvms(cvms, (row, signal) => verify(services, row, signal));
  // Running CVMs come first, so only those beyond the limit are missing.
  return app.running_count > MAX_SHOWN ? partialBadge(badge) : badge;
}

type Verify = (row: JoinedCvm, signal: AbortSignal) => Promise<Badge>;

/** Returns the worst badge of the running CVMs. */
export async function badgeOfCvms(cvms: readonly JoinedCvm[], check: Verify): Promise<Badge> {
  const running = cvms.filter(({ cvm }) => cvm.status === 'running');
  const signal = AbortSignal.timeout(WHOLE_MS);
  const results = await eachBounded(running, MAX_CONCURRENT, (row) => badgeOfCvm(row, signal, check));
  return worstBadge(
    results.map((result) => {
      // If one CVM doesn't answer, the app's badge is unknown.
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    }),
  );
}

function badgeOfCvm(row: JoinedCvm, signal: AbortSignal, check: Verify): Promise<Badge> {
  // A changed revision, OS image or host needs a new verification.
  const key = `${row.cvm.vm_uuid} ${row.revision.compose_hash} ${row.cvm.os_image} ${row.teepod.id}`;
  const now = Date.now();
  const found = known.get(key);
  if (found && found.until > now) return found.badge;
  const badge = check(row, signal);
  known.delete(key);
  known.set(key, { badge, until: now + FRESH_MS });
  if (known.size > REMEMBERED) known.delete(known.keys().next().value ?? '');
  const forget = () => void (known.get(key)?.badge === badge && known.delete(key));
  // A CVM that ran out of time is queried again.
  badge.then(() => signal.aborted && forget(), forget);
  return badge;
}

async function verify(
  services: Pick<Services, 'db' | 'vmm' | 'collateral' | 'log'>,
  row: JoinedCvm,
  signal: AbortSignal,
): Promise<Badge> {
  const answer = await publicEvidence({ ...services, signal }, row);
  const { evidence, now, policy } = await questionOf(answer, DEFAULT_CHOICES);
  return badgeOf(await verifyEvidence(evidence, { now, policy }), answer.is_online);
}
