import { ahead, timeFault } from '../../../lib/time/scheduleTime';
import { instantOf, ownZone } from '../../../lib/time/zonedTime';

/** When to delete the CVM being deployed, as chosen in the form. */
export interface DeletionForm {
  /** Hours after the deployment; `at` for the time in `delete_at`, empty for never. */
  delete_after: string;
  /** In the browser's time zone, in the format of `<input type="datetime-local">`. */
  delete_at: string;
}

export const neverDeleted: DeletionForm = { delete_after: '', delete_at: '' };

export const AT = 'at';

export const DELETIONS = [
  { value: '', label: 'Never' },
  { value: '1', label: 'After an hour' },
  { value: '8', label: 'After 8 hours' },
  { value: '24', label: 'After a day' },
  { value: '168', label: 'After a week' },
  { value: '720', label: 'After 30 days' },
  { value: AT, label: 'At a set time…' },
] as const;

/** Returns why deletion can't be scheduled for this time; null if it can. */
export function deletionFault(form: DeletionForm, now = Date.now()): string | null {
  if (form.delete_after !== AT) return null;
  const at = instantOf(form.delete_at, ownZone());
  return at === null ? 'Enter a date and time.' : timeFault(at, now);
}

/** Returns the part of the request that schedules the deletion. Hours count from now. */
export function toDeletion(form: DeletionForm, now = Date.now()): { scheduled_delete_at?: string } {
  const { delete_after, delete_at } = form;
  if (!DELETIONS.some(({ value }) => value === delete_after) || delete_after === '') return {};
  const at = delete_after === AT ? instantOf(delete_at, ownZone()) : ahead(Number(delete_after), now);
  return at === null ? {} : { scheduled_delete_at: at.toISOString() };
}
