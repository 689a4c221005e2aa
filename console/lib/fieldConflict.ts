import { ownValue } from './ownValue';

/** A field changed in the form, or by another member while the form was open. */
export interface Difference {
  name: string;
  was: unknown;
  theirs: unknown;
  mine: unknown;
  /** Whether both sides changed it to different values. */
  disputed: boolean;
}

export type Side = 'mine' | 'theirs';

export const sameValue = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/**
 * Returns the fields that differ between the record when the form opened, the record now, and the edited
 * values. Omits fields nobody changed.
 */
export function differences(
  names: readonly string[],
  was: Readonly<Record<string, unknown>>,
  theirs: Readonly<Record<string, unknown>>,
  mine: Readonly<Record<string, unknown>>,
): Difference[] {
  return names.flatMap((name) => {
    // Secrets are never sent back, so an empty field is unchanged.
    const one = {
      name,
      was: ownValue(was, name),
      theirs: ownValue(theirs, name),
      mine: ownValue(mine, name) ?? ownValue(was, name),
    };
    const mineChanged = !sameValue(one.mine, one.was);
    const theirsChanged = !sameValue(one.theirs, one.was);
    if (!mineChanged && !theirsChanged) return [];
    return [{ ...one, disputed: mineChanged && theirsChanged && !sameValue(one.mine, one.theirs) }];
  });
}

/** A change on only one side is kept; a disputed field starts with the user's own value. */
export const firstChoice = ({ mine, was }: Difference): Side => (sameValue(mine, was) ? 'theirs' : 'mine');

/** Returns the values to apply to the current record. */
export const chosenValues = (
  found: readonly Difference[],
  choices: Readonly<Record<string, Side>>,
): Record<string, unknown> =>
  Object.fromEntries(
    found
      .filter((one) => (ownValue(choices, one.name) ?? firstChoice(one)) === 'mine')
      .map(({ name, mine }) => [name, mine]),
  );
