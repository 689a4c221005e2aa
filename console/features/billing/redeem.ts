import type { Problem } from '../../ui/feedback/problem';

/** The API's limit. Truncating a longer text would make it another code. */
const MAX_CHARACTERS = 40;

export function codeFault(code: string): string | undefined {
  const { length } = code.trim();
  if (length === 0) return 'Enter the code.';
  return length > MAX_CHARACTERS ? `A code has at most ${MAX_CHARACTERS} characters.` : undefined;
}

/** Shows one error at a time: a refusal of the previous code doesn't apply to one that isn't sent. */
export function redeemErrors(
  code: string,
  { tried, refused }: { tried: boolean; refused: Problem | null },
): { field: string | undefined; form: Problem | null } {
  const field = tried ? codeFault(code) : undefined;
  return { field, form: field === undefined ? refused : null };
}
