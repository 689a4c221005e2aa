import type { AdminRecord } from '../record';
import type { FieldDescription } from '../schema/types';

/** One field of a record that two people changed at once. */
export interface Difference {
  field: FieldDescription;
  was: unknown;
  theirs: unknown;
  /** What was typed here; the same as `was` where nothing was. */
  mine: unknown;
  /** Both changed it, to different values: somebody has to choose. */
  disputed: boolean;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** What differs between the record as it was read, as it is now, and as it was typed. Fields nobody changed are left out. */
export function differences(
  fields: readonly FieldDescription[],
  was: AdminRecord,
  theirs: AdminRecord,
  typed: Readonly<Record<string, unknown>>,
): Difference[] {
  return fields.flatMap((field) => {
    const one = {
      field,
      was: was[field.name],
      theirs: theirs[field.name],
      // Secrets are never read back: nothing typed means nothing changed.
      mine: typed[field.name] === undefined ? was[field.name] : typed[field.name],
    };
    const mineChanged = !same(one.mine, one.was);
    const theirsChanged = !same(one.theirs, one.was);
    if (!mineChanged && !theirsChanged) return [];
    return [{ ...one, disputed: mineChanged && theirsChanged && !same(one.mine, one.theirs) }];
  });
}

export type Side = 'mine' | 'theirs';

/** A change of one side alone is kept, as it takes nothing from the other; of what both changed, one's own stands first. */
export const firstChoice = ({ mine, was }: Difference): Side => (same(mine, was) ? 'theirs' : 'mine');

/** The values to put over the record as it is now. */
export const chosen = (
  found: readonly Difference[],
  choices: Readonly<Record<string, Side>>,
): Record<string, unknown> =>
  Object.fromEntries(
    found
      .filter((one) => (choices[one.field.name] ?? firstChoice(one)) === 'mine')
      .map(({ field, mine }) => [field.name, mine]),
  );
