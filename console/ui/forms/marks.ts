/** Whether fields are marked that the server refused, or were and have been edited since. */
export type Marks = 'none' | 'marked' | 'corrected';

/**
 * Returns the state after a render. An error that its fields show is over once none is marked any more; one whose
 * fields were never marked isn't, because nothing else shows it.
 * @param isAtField whether the form's error is shown at its fields
 * @param isMarked whether a field is marked
 */
export function marksAfter(before: Marks, isAtField: boolean, isMarked: boolean): Marks {
  if (!isAtField) return 'none';
  if (isMarked) return 'marked';
  return before === 'none' ? 'none' : 'corrected';
}
