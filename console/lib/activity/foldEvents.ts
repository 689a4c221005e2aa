import type { ActivityEvent } from '../../../generated/api/types.gen';
import { failureCause } from '../cvms/operationWords';
import { reasonOf } from './events';

/** A row of an event list: a single event, or an operation with its steps. */
export interface FoldedEvent {
  event: ActivityEvent;
  /** The operation's steps, newest first, without its request and end; empty for a single event. */
  steps: ActivityEvent[];
  actor: string | null;
  reason: string | null;
  /** The operation's duration, once it has ended. */
  took_ms: number | null;
}

const OPERATION =
  /^(deploy|start|stop|shutdown|restart|update|resize|delete|move|purge)\.(requested|succeeded|failed|cancelled)$/;
// A reversible deletion is one row, with its deadline as a step. So is a restoration that starts the CVM.
const STEP = /^((host|boot)\.|cvm\.(recycled|restored)$)/;

type Part = 'request' | 'end' | 'step' | null;

function partOf({ kind, correlation_id }: ActivityEvent): Part {
  if (correlation_id === null) return null;
  const ending = OPERATION.exec(kind)?.[2];
  if (ending !== undefined) return ending === 'requested' ? 'request' : 'end';
  return STEP.test(kind) ? 'step' : null;
}

/**
 * Folds the steps and request of each operation into the event that ended it or, while it is in progress, into its
 * request. Steps whose operation isn't in the list stay rows.
 * @param events newest first
 * @param keep the open event, which stays a row
 */
export function foldEvents(events: readonly ActivityEvent[], keep?: string): FoldedEvent[] {
  const heads = new Map<string, ActivityEvent>();
  const requests = new Map<string, ActivityEvent>();
  for (const event of events) {
    const part = partOf(event);
    const id = event.correlation_id ?? '';
    if (part === 'request') requests.set(id, event);
    if (part === 'end' || (part === 'request' && !heads.has(id))) heads.set(id, event);
  }
  const isFolded = (event: ActivityEvent) => {
    const part = partOf(event);
    const head = heads.get(event.correlation_id ?? '');
    return part !== null && part !== 'end' && head !== undefined && head !== event && event.id !== keep;
  };
  const folded = events.filter(isFolded);
  return events
    .filter((event) => !isFolded(event))
    .map((event) => {
      const id = event.correlation_id ?? '';
      const isHead = heads.get(id) === event;
      const request = isHead ? requests.get(id) : undefined;
      return {
        event,
        // The row already shows who requested it, why and when, so the request isn't counted as a step.
        steps: isHead
          ? folded.filter(
              (step) => step.correlation_id === id && partOf(step) === 'step' && !isCause(step, event),
            )
          : [],
        actor: (event.actor ?? request?.actor)?.username ?? null,
        reason: reasonOf(request ?? event),
        took_ms: isHead ? tookOf(event, request) : null,
      };
    });
}

/** Whether a step only repeats the cause in its operation's failure. */
const isCause = (step: ActivityEvent, end: ActivityEvent): boolean =>
  end.kind.endsWith('.failed') && end.message.endsWith(`: ${failureCause(step.message)}`);

/** The end has the duration; for operations before that was recorded, the request must be in the list. */
function tookOf(end: ActivityEvent, request: ActivityEvent | undefined): number | null {
  const { took_ms } = end.data;
  if (typeof took_ms === 'number') return took_ms;
  const took = request && request !== end ? timeOf(end) - timeOf(request) : -1;
  return took < 0 ? null : took;
}

const timeOf = ({ created_at }: ActivityEvent): number => Date.parse(created_at);
