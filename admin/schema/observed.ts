import { ownValue } from '../../console/lib/ownValue';
import type { AdminRecord } from '../record';
import { inSentence } from './labels';
import type { FieldDescription } from './types';

/** Whether the record doesn't respond although its desired state says it should. */
export const isSilent = (field: FieldDescription | undefined, record: AdminRecord): boolean =>
  field?.observed !== undefined &&
  ownValue(record, field.observed) === false &&
  ownValue(record, field.name) !== 'offline';

/**
 * Returns the states for headlines and lists: the observed one first, then others that restrict the record's use,
 * such as a cordon that the silence would hide, or its node's maintenance.
 */
export function statesOf(field: FieldDescription, record: AdminRecord): string[] {
  const desired = String(ownValue(record, field.name));
  const parent = ownValue(record, field.parentState ?? '');
  const silent = isSilent(field, record);
  const states = [
    silent ? 'unreachable' : desired,
    ...(silent && desired !== 'online' ? [desired] : []),
    ...(typeof parent === 'string' && parent !== 'online' ? [parent] : []),
  ];
  return [...new Set(states)];
}

/** Health values that don't contradict the desired state. */
const WELL: ReadonlySet<unknown> = new Set(['ok', 'unchecked', 'unread']);

/** Returns the states for the headline of a record's page: an active record that fails is shown as failing. */
export function headlineStates(field: FieldDescription, record: AdminRecord): string[] {
  const states = statesOf(field, record);
  const health = ownValue(record, field.health ?? '');
  return typeof health === 'string' && states[0] === 'active' && !WELL.has(health)
    ? [health, ...states]
    : states;
}

/** Returns the label if only the desired state is meant, as in filters and counts. */
export const desiredLabel = ({ label, observed }: FieldDescription): string =>
  observed === undefined ? label : `Desired ${inSentence(label)}`;
