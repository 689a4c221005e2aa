import type { Rollout, RolloutItem, Trust } from '../../../../generated/api/types.gen';
import { isUnconfirmed, shownReason } from '../../../lib/apps/rolloutReasons';
import type { Step } from '../../../ui/feedback/ProgressSteps';
import { counted } from '../../../lib/texts/count';

export const titleOf = ({ revision, total }: Rollout): string =>
  `Revision ${revision.revision_number} on ${counted(total, ['CVM', 'CVMs'])}`;

const STATES: Record<RolloutItem['state'], Step['state']> = {
  waiting: 'waiting',
  updating: 'running',
  checking: 'running',
  updated: 'done',
  failed: 'failed',
  reverting: 'running',
  reverted: 'skipped',
  skipped: 'skipped',
};

const WORDS: Record<RolloutItem['state'], string> = {
  waiting: 'is waiting',
  updating: 'is updating',
  checking: 'is being checked',
  updated: 'is healthy on the new revision',
  failed: 'failed',
  reverting: 'is rolling back',
  reverted: 'rolled back',
  skipped: 'was skipped',
};

/** Returns one step per CVM with its health and its evidence or, until that is checked, the guest's report. */
export function stepsOf({ items }: Pick<Rollout, 'items'>): Step[] {
  return items.map((item, index) => ({
    id: item.cvm.id ?? String(index),
    label: `${item.cvm.name ?? item.cvm.id ?? 'CVM'} ${isUnconfirmed(item) ? 'has the new revision' : WORDS[item.state]}`,
    state: STATES[item.state],
    started_at: item.started_at,
    finished_at: item.finished_at,
    detail: [shownReason(item), evidenceOf(item)].filter(Boolean).join(' ') || null,
  }));
}

const VERDICTS: Record<Trust, string> = {
  verified: 'verified',
  verified_with_exceptions: 'verified with exceptions',
  not_verified: 'not verified',
  unknown: 'not available or incomplete',
  simulated: 'simulated, no hardware TEE',
};

function evidenceOf({ evidence }: RolloutItem): string | null {
  if (!evidence) return null;
  if (evidence.detail !== null) return `Evidence ${VERDICTS[evidence.trust]}: ${evidence.detail}`;
  const said =
    evidence.trust === 'simulated' ? 'simulated, no hardware TEE' : 'reported by the guest, not verified';
  if (evidence.matches === null) return 'The guest doesn’t report a compose hash.';
  return evidence.matches
    ? `Runs the new compose hash (${said}).`
    : `Reports compose hash ${evidence.compose_hash?.slice(0, 12) ?? ''}…, not the new one (${said}).`;
}
