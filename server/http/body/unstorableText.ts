interface Place {
  value: unknown;
  /** Key or index in the parent. */
  key: string | number;
  parent: Place | null;
}

/**
 * Finds text that can't be stored as sent: PostgreSQL's text has no NUL, and an unpaired surrogate has no UTF-8 form.
 * Returns its path, or null. Iterative, and places point to their parents instead of holding their path, so that deep
 * nesting neither overflows the stack nor takes more than linear time.
 */
export function unstorableText(value: unknown): (string | number)[] | null {
  const open: Place[] = [{ value, key: '', parent: null }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { value: one } = place;
    if (typeof one === 'string') {
      if (UNSTORABLE.test(one)) return pathOf(place);
    } else if (Array.isArray(one)) {
      for (const [index, item] of one.entries()) open.push({ value: item, key: index, parent: place });
    } else if (typeof one === 'object' && one !== null) {
      for (const [key, item] of Object.entries(one)) {
        if (UNSTORABLE.test(key)) return pathOf(place);
        open.push({ value: item, key, parent: place });
      }
    }
  }
  return null;
}

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Place = place; at.parent !== null; at = at.parent) path.push(at.key);
  return path.toReversed();
}

const UNSTORABLE = /\u0000|\p{Surrogate}/u;
