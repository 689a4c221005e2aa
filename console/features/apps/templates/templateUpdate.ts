import { applyPatch, structuredPatch } from 'diff';
import type { AppTemplateVersion } from '../../../../generated/api/types.gen';
import { newRow, type SecretRow } from '../../../ui/forms/secrets';
import { firstValues } from '../launch/templateValues';

export interface MergedCompose {
  compose: string;
  /** Whether the app's own changes were kept; null if it had none. */
  keepsChanges: boolean | null;
}

/**
 * Applies the changes between two template versions to the app's running Compose file. If both changed the same
 * lines, the template's file is used unchanged.
 * @param base the file of the app's version; null if unknown
 */
export function mergeCompose(base: string | null, running: string, newer: string): MergedCompose {
  if (running === base) return { compose: newer, keepsChanges: null };
  if (base === null) return { compose: newer, keepsChanges: false };
  const merged = applyPatch(running, structuredPatch('', '', base, newer), { autoConvertLineEndings: false });
  return merged === false ? { compose: newer, keepsChanges: false } : { compose: merged, keepsChanges: true };
}

const names = (compose: string, key: string) => new RegExp(`\\b${key}\\b`).test(compose);

/**
 * Returns the secrets for a newer version: saved ones stay, new inputs are added, and names no longer used are
 * dropped.
 */
export function newerSecrets(
  rows: readonly SecretRow[],
  inputs: AppTemplateVersion['inputs'],
  { running, compose }: { running: string; compose: string },
): SecretRow[] {
  const stay = rows.filter(({ key }) => names(compose, key) || !names(running, key));
  const known = new Set(stay.map(({ key }) => key));
  const missing = inputs.filter(({ key }) => !known.has(key) && names(compose, key));
  const values = firstValues(missing);
  return [
    ...stay,
    ...missing.map(({ key, generate }) => {
      const row = newRow(key, values.get(key) ?? '');
      return generate === null ? row : { ...row, generated: row.value };
    }),
  ];
}
