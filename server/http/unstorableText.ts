/**
 * Finds text that can't be stored as sent: PostgreSQL's text has no NUL, and an unpaired surrogate has no UTF-8 form.
 * Returns its path, or null. Iterative, so that deep nesting can't overflow the stack.
 */
export function unstorableText(value: unknown): (string | number)[] | null {
  const open: { value: unknown; path: (string | number)[] }[] = [{ value, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: one, path } = next;
    if (typeof one === 'string') {
      if (UNSTORABLE.test(one)) return path;
    } else if (Array.isArray(one)) {
      one.forEach((item, index) => open.push({ value: item, path: [...path, index] }));
    } else if (typeof one === 'object' && one !== null) {
      for (const [key, item] of Object.entries(one)) {
        if (UNSTORABLE.test(key)) return path;
        open.push({ value: item, path: [...path, key] });
      }
    }
  }
  return null;
}

const UNSTORABLE = /\u0000|\p{Surrogate}/u;
