import type { Rollout, RolloutItem } from '../../../../generated/api/types.gen';
import type { Step } from '../../../ui/feedback/ProgressSteps';

export const titleOf = ({ revision, total }: Rollout): string =>
  `Revision ${revision.revision_number} on ${total} ${total === 1 ? 'CVM' : 'CVMs'}`;

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
  waiting: 'waits for the one before',
  updating: 'gets the new revision',
  checking: 'is watched until it is well',
  updated: 'runs the new revision and is well',
  failed: 'failed',
  reverting: 'goes back to what it ran before',
  reverted: 'is back at what it ran before',
  skipped: 'was not touched',
};

/** One step per CVM, with what is known of it: health, and what its guest says it runs. */
export function stepsOf({ items }: Pick<Rollout, 'items'>): Step[] {
  return items.map((item, index) => ({
    id: item.cvm.id ?? String(index),
    label: `${item.cvm.name ?? item.cvm.id ?? 'CVM'} ${WORDS[item.state]}`,
    state: STATES[item.state],
    started_at: item.started_at,
    finished_at: item.finished_at,
    detail: [item.message, evidenceOf(item)].filter(Boolean).join(' ') || null,
  }));
}

function evidenceOf({ evidence }: RolloutItem): string | null {
  if (!evidence) return null;
  const said =
    evidence.trust === 'simulated' ? 'simulated, no hardware TEE' : 'reported by the guest, not verified';
  if (evidence.matches === null) return 'The guest does not tell which compose hash it runs.';
  return evidence.matches
    ? `It runs the new compose hash (${said}).`
    : `It reports the compose hash ${evidence.compose_hash?.slice(0, 12) ?? ''}…, not the new one (${said}).`;
}
