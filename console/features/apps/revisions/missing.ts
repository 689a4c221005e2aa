const NAMED = 5;

/** Says which variables have no value after a rollback; null if all have one. */
export function missingText(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const more = names.length - NAMED;
  const named = names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `It uses ${named}, which the app’s current secrets don’t include. Update the secrets to set ${names.length === 1 ? 'it' : 'them'}.`;
}
