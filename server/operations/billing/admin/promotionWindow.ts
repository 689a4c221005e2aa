import { invalid } from '../../core/admin/change';

/** @throws VALIDATION_FAILED if a code would end before it starts */
export function checkWindow({ starts_at, ends_at }: { starts_at: Date | null; ends_at: Date | null }): void {
  if (ends_at !== null && starts_at !== null && ends_at <= starts_at)
    throw invalid('ends_at', 'The end must be after the start.');
}
