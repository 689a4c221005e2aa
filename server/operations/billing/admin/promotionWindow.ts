import { invalid } from '../../core/admin/change';

/** @throws VALIDATION_FAILED if a code would end before it starts */
export function checkWindow({ starts_at, ends_at }: { starts_at: Date | null; ends_at: Date | null }): void {
  if (ends_at !== null && starts_at !== null && ends_at <= starts_at)
    throw invalid('ends_at', 'The end must be after the start.');
}

/** @throws VALIDATION_FAILED for a welcome credit that one account could have again and again */
export function checkWelcome({
  welcome,
  max_uses_per_team,
}: {
  welcome: boolean;
  max_uses_per_team: number | null;
}): void {
  if (welcome && max_uses_per_team === null)
    throw invalid('max_uses_per_team', 'A welcome credit needs a limit per team.');
}
