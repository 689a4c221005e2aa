import type { ActivityEvent } from '../../../generated/api/types.gen';
import { cvmRef, short, userRef, type CvmRefFields, type UserFields } from '../core/references';

export interface EventFields {
  event: {
    id: number;
    kind: string;
    severity: ActivityEvent['severity'];
    message: string;
    data: unknown;
    created_at: Date;
  };
  app_id: string | null;
  cvm: CvmRefFields | null;
  correlation_id: string | null;
  /** User who requested the event's operation. */
  actor: UserFields | null;
}

export function toEvent({ event, app_id, cvm, correlation_id, actor }: EventFields): ActivityEvent {
  return {
    id: String(event.id),
    kind: event.kind,
    severity: event.severity,
    message: short(event.message, 2000),
    created_at: event.created_at.toISOString(),
    app_id,
    cvm: cvmRef(cvm),
    correlation_id,
    actor: userRef(actor),
    data: isObject(event.data) ? event.data : {},
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
