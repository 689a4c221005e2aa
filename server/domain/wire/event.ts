import type { ActivityEvent } from '../../../generated/api/types.gen';
import type { ListedEvent } from '../../db/events';
import { cvmRef, short, userRef } from './refs';

export function toEvent({ event, app_id, cvm, correlation_id, actor }: ListedEvent): ActivityEvent {
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
