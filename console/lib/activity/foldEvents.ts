import type { ActivityEvent } from '../../../generated/api/types.gen';
import { failureCause } from '../cvms/operationWords';
import { reasonOf } from './events';

/** A row of a list of events: an event on its own, or an operation with the steps it took. */
export interface FoldedEvent {
  event: ActivityEvent;
  /** What it did, newest first, without its request and its end; empty for an event on its own. */
  steps: ActivityEvent[];
  actor: string | null;
  reason: string | null;
  /** How long the operation took, once it has ended. */
  took_ms: number | null;
}

const OPERATION =
  /^(deploy|start|stop|shutdown|restart|update|resize|delete|move|purge)\.(requested|succeeded|failed|cancelled)$/;
// A deletion that can be undone is one row; until when is one of its steps.
const STEP = /^((host|boot)\.|cvm\.recycled$)/;
/** Requested the start of a CVM that was deleted while it ran. */
const RESTORED = 'cvm.restored';

type Part = 'request' | 'end' | 'step' | null;

function partOf({ kind, correlation_id }: ActivityEvent): Part {
  if (correlation_id === null) return null;
  const ending = OPERATION.exec(kind)?.[2];
  if (ending !== undefined) return ending === 'requested' ? 'request' : 'end';
  if (kind === RESTORED) return 'request';
  return STEP.test(kind) ? 'step' : null;
}

/**
 * Folds the steps of each operation, and its request, into the event that ended it or, while it is in progress,
 * into its request. Steps whose operation isn't in the list stay rows.
 * @param events newest first
 * @param keep the event that is open: it stays a row
 */
export function foldEvents(events: readonly ActivityEvent[], keep?: string): FoldedEvent[] {
  const heads = new Map<string, ActivityEvent>();
  const requests = new Map<string, ActivityEvent>();
  for (const event of events) {
    const part = partOf(event);
    const id = event.correlation_id ?? '';
    const first = requests.get(id);
    // A restoration says more than the request of its start.
    if (part === 'request' && first?.kind !== RESTORED) requests.set(id, event);
    if (part === 'end') heads.set(id, event);
  }
  for (const [id, event] of requests) if (!heads.has(id)) heads.set(id, event);
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
        event: request ? withRestoration(event, request) : event,
        // The row says who requested it, why and when, so the request counts as no step.
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

/** The end of a restoration is that of a start. Its row says what was asked; where the start failed, that matters more. */
const withRestoration = (end: ActivityEvent, request: ActivityEvent): ActivityEvent =>
  request.kind === RESTORED && end.kind.endsWith('.succeeded') ? { ...end, message: request.message } : end;

/** Whether a step only says what the failure of its operation says, too. */
const isCause = (step: ActivityEvent, end: ActivityEvent): boolean =>
  end.kind.endsWith('.failed') && end.message.endsWith(`: ${failureCause(step.message)}`);

/** The end says how long it took; of an operation from before it did, the request must be in the list. */
function tookOf(end: ActivityEvent, request: ActivityEvent | undefined): number | null {
  const { took_ms } = end.data;
  if (typeof took_ms === 'number') return took_ms;
  const took = request && request !== end ? timeOf(end) - timeOf(request) : -1;
  return took < 0 ? null : took;
}

const timeOf = ({ created_at }: ActivityEvent): number => Date.parse(created_at);
