import { ownValue } from '../../lib/ownValue';
/** A status's tone (which determines color and icon) and word. */

export type Tone = 'ok' | 'attention' | 'error' | 'progress' | 'simulated' | 'neutral';
export type Glyph =
  | 'check'
  | 'shield'
  | 'shield-partial'
  | 'spinner'
  | 'stopped'
  | 'cross'
  | 'warning'
  | 'question'
  | 'hatch'
  | 'dot'
  | 'info'
  | 'archived';

export interface StatusInfo {
  tone: Tone;
  glyph: Glyph;
  word: string;
}

const known: Record<string, StatusInfo> = {
  // a CVM
  creating: { tone: 'progress', glyph: 'spinner', word: 'Creating' },
  starting: { tone: 'progress', glyph: 'spinner', word: 'Starting' },
  running: { tone: 'ok', glyph: 'check', word: 'Running' },
  stopping: { tone: 'progress', glyph: 'spinner', word: 'Stopping' },
  stopped: { tone: 'neutral', glyph: 'stopped', word: 'Stopped' },
  restarting: { tone: 'progress', glyph: 'spinner', word: 'Restarting' },
  updating: { tone: 'progress', glyph: 'spinner', word: 'Updating' },
  resizing: { tone: 'progress', glyph: 'spinner', word: 'Resizing' },
  shutting_down: { tone: 'progress', glyph: 'spinner', word: 'Shutting down' },
  deleting: { tone: 'progress', glyph: 'spinner', word: 'Deleting' },
  deleted: { tone: 'neutral', glyph: 'archived', word: 'Deleted' },
  error: { tone: 'error', glyph: 'cross', word: 'Error' },
  // something in or out of use
  active: { tone: 'ok', glyph: 'check', word: 'Active' },
  paused: { tone: 'attention', glyph: 'warning', word: 'Paused' },
  suspended: { tone: 'error', glyph: 'cross', word: 'Suspended' },
  retiring: { tone: 'attention', glyph: 'warning', word: 'Retiring' },
  // a severity
  info: { tone: 'neutral', glyph: 'info', word: 'Info' },
  warning: { tone: 'attention', glyph: 'warning', word: 'Warning' },
  // an alert
  open: { tone: 'attention', glyph: 'warning', word: 'Open' },
  acknowledged: { tone: 'progress', glyph: 'check', word: 'Acknowledged' },
  // a queue, a worker
  idle: { tone: 'ok', glyph: 'check', word: 'Idle' },
  working: { tone: 'progress', glyph: 'spinner', word: 'Working' },
  late: { tone: 'attention', glyph: 'warning', word: 'Late' },
  failing: { tone: 'error', glyph: 'cross', word: 'Failing' },
  alive: { tone: 'ok', glyph: 'check', word: 'Alive' },
  silent: { tone: 'error', glyph: 'cross', word: 'Silent' },
  // an announcement
  scheduled: { tone: 'progress', glyph: 'dot', word: 'Scheduled' },
  ended: { tone: 'neutral', glyph: 'archived', word: 'Ended' },
  // an operation
  queued: { tone: 'neutral', glyph: 'dot', word: 'Queued' },
  succeeded: { tone: 'ok', glyph: 'check', word: 'Succeeded' },
  failed: { tone: 'error', glyph: 'cross', word: 'Failed' },
  finished: { tone: 'ok', glyph: 'check', word: 'Finished' },
  cancelled: { tone: 'neutral', glyph: 'archived', word: 'Canceled' },
  // an email
  sending: { tone: 'progress', glyph: 'spinner', word: 'Sending' },
  sent: { tone: 'ok', glyph: 'check', word: 'Sent' },
  kept: { tone: 'attention', glyph: 'dot', word: 'Stored only' },
  // a node, a teepod
  online: { tone: 'ok', glyph: 'check', word: 'Online' },
  cordoned: { tone: 'attention', glyph: 'warning', word: 'Cordoned' },
  draining: { tone: 'progress', glyph: 'spinner', word: 'Draining' },
  maintenance: { tone: 'attention', glyph: 'warning', word: 'Maintenance' },
  offline: { tone: 'error', glyph: 'cross', word: 'Offline' },
  // a GPU and its events
  free: { tone: 'ok', glyph: 'check', word: 'Free' },
  reserved: { tone: 'attention', glyph: 'dot', word: 'Reserved' },
  lost: { tone: 'error', glyph: 'cross', word: 'Lost' },
  repaired: { tone: 'ok', glyph: 'check', word: 'Repaired' },
  attached: { tone: 'neutral', glyph: 'stopped', word: 'Attached' },
  faulty: { tone: 'error', glyph: 'cross', word: 'Faulty' },
  // a KMS, a contract
  ok: { tone: 'ok', glyph: 'check', word: 'OK' },
  unpinned: { tone: 'attention', glyph: 'warning', word: 'Key not pinned' },
  unreachable: { tone: 'error', glyph: 'cross', word: 'Not responding' },
  alarm: { tone: 'error', glyph: 'warning', word: 'Alarm' },
  unchecked: { tone: 'neutral', glyph: 'question', word: 'Not checked yet' },
  unread: { tone: 'neutral', glyph: 'question', word: 'Not read yet' },
  // a chain of audit entries
  not_checked: { tone: 'neutral', glyph: 'question', word: 'Not checked' },
  intact: { tone: 'ok', glyph: 'check', word: 'Intact' },
  broken: { tone: 'error', glyph: 'cross', word: 'Broken' },
  // a payment, an invoice
  pending: { tone: 'progress', glyph: 'dot', word: 'Pending' },
  unfinished: { tone: 'neutral', glyph: 'dot', word: 'Incomplete' },
  declined: { tone: 'error', glyph: 'cross', word: 'Declined' },
  paid: { tone: 'ok', glyph: 'check', word: 'Paid' },
  part_paid: { tone: 'attention', glyph: 'warning', word: 'Partly received' },
  reversed: { tone: 'error', glyph: 'cross', word: 'Reversed' },
  overdue: { tone: 'error', glyph: 'warning', word: 'Overdue' },
  uncollectible: { tone: 'neutral', glyph: 'cross', word: 'Written off' },
  void: { tone: 'neutral', glyph: 'archived', word: 'Void' },
  expired: { tone: 'neutral', glyph: 'archived', word: 'Expired' },
  // a drain, a maintenance window
  waiting: { tone: 'neutral', glyph: 'dot', word: 'Waiting' },
  moving: { tone: 'progress', glyph: 'spinner', word: 'Moving' },
  moved: { tone: 'ok', glyph: 'check', word: 'Moved' },
  blocked: { tone: 'error', glyph: 'cross', word: 'Blocked' },
  gone: { tone: 'neutral', glyph: 'archived', word: 'Gone' },
  planned: { tone: 'neutral', glyph: 'dot', word: 'Planned' },
  announced: { tone: 'attention', glyph: 'warning', word: 'Announced' },
  over: { tone: 'neutral', glyph: 'archived', word: 'Ended' },
  // an OS image
  recommended: { tone: 'ok', glyph: 'check', word: 'Recommended' },
  retired: { tone: 'neutral', glyph: 'archived', word: 'Retired' },
  // a revision
  draft: { tone: 'neutral', glyph: 'dot', word: 'Draft' },
  awaiting_approval: { tone: 'attention', glyph: 'warning', word: 'Awaiting approval' },
  withdrawn: { tone: 'neutral', glyph: 'archived', word: 'Withdrawn' },
  live: { tone: 'ok', glyph: 'check', word: 'Live' },
  superseded: { tone: 'neutral', glyph: 'archived', word: 'Superseded' },
  archived: { tone: 'neutral', glyph: 'archived', word: 'Archived' },
};

/**
 * Trust never uses a single check mark: each state has its own icon, and simulated states their own hue and
 * hatching.
 */
const trust: Record<string, StatusInfo> = {
  verified: { tone: 'ok', glyph: 'shield', word: 'Verified' },
  verified_with_exceptions: { tone: 'attention', glyph: 'shield-partial', word: 'Verified with exceptions' },
  not_verified: { tone: 'error', glyph: 'cross', word: 'Not verified' },
  unknown: { tone: 'neutral', glyph: 'question', word: 'Unknown' },
  simulated: { tone: 'simulated', glyph: 'hatch', word: 'Simulated' },
};

/** An unknown status is shown as is, in a neutral tone: never hidden, never green. */
export function statusInfo(status: string): StatusInfo {
  const key = status.toLowerCase().replaceAll(/[\s-]+/g, '_');
  const found = Object.hasOwn(known, key)
    ? ownValue(known, key)
    : Object.hasOwn(trust, key)
      ? ownValue(trust, key)
      : undefined;
  if (found) return found;
  const words = key.replaceAll('_', ' ').trim();
  return {
    tone: 'neutral',
    glyph: 'dot',
    word: words === '' ? 'Unknown' : words[0]!.toUpperCase() + words.slice(1),
  };
}
