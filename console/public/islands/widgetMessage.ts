import type { Report } from '../../lib/attestation/types';

/** Version of the messages to the embedding page: docs/embedding.md. */
const VERSION = 1;

/** What an attempt to verify came to: a report, or why there is none. */
export type WidgetResult =
  | {
      report: Pick<Report, 'state' | 'simulated' | 'verified_at'>;
      /** Whether the guest answered just now, rather than with evidence on record. */
      is_current: boolean;
    }
  | { reason: string };

/** Returns the message to the page around a widget. */
export function widgetMessage(app_id: string, vm_uuid: string, result: WidgetResult) {
  const about = { source: 'teehouse', version: VERSION, app_id, vm_uuid };
  if ('reason' in result) return { ...about, type: 'failure', reason: result.reason };
  const { report, is_current } = result;
  const { state, simulated, verified_at } = report;
  // Pages that look only at the state must not call an app verified that has stopped since.
  const isPast = !is_current && (state === 'verified' || state === 'verified with exceptions');
  return { ...about, type: 'report', state: isPast ? 'unknown' : state, simulated, is_current, verified_at };
}
