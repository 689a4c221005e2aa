import { stateNow } from '../../lib/attestation/summary';
import type { Report } from '../../lib/attestation/types';

/** Version of the messages to the embedding page: docs/embedding.md. */
const VERSION = 1;

/** The result of a verification attempt: a report, or why there is none. */
export type WidgetResult =
  | {
      report: Pick<Report, 'state' | 'simulated' | 'verified_at'>;
      /** Whether the guest responded just now, as opposed to evidence on record. */
      is_current: boolean;
    }
  | { reason: string };

/** Returns the message to the page around a widget. */
export function widgetMessage(app_id: string, vm_uuid: string, result: WidgetResult) {
  const about = { source: 'teehouse', version: VERSION, app_id, vm_uuid };
  if ('reason' in result) return { ...about, type: 'failure', reason: result.reason };
  const { report, is_current } = result;
  const { state, simulated, verified_at } = report;
  // Pages that look only at the state must not treat an app as verified after it has stopped.
  const shown = stateNow(state, is_current ? 'guest' : 'kept');
  return { ...about, type: 'report', state: shown, simulated, is_current, verified_at };
}
