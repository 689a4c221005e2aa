/**
 * Returns whether `text` matches `pattern`, in which `*` matches any characters. Only the last `*` is ever
 * retried, so a match takes at most text × pattern steps for any input.
 */
export function matchesGlob(text: string, pattern: string): boolean {
  let at = 0;
  let inPattern = 0;
  let lastStar = -1;
  let retryAt = 0;
  while (at < text.length) {
    if (pattern[inPattern] === '*') {
      lastStar = inPattern++;
      retryAt = at;
    } else if (inPattern < pattern.length && pattern[inPattern] === text[at]) {
      inPattern++;
      at++;
    } else if (lastStar >= 0) {
      inPattern = lastStar + 1;
      at = ++retryAt;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}

/** Converts a pattern to LIKE: its special characters are escaped, and `**` is one wildcard. */
export function likeOfGlob(pattern: string): string {
  return pattern.replace(/[\\%_]/g, '\\$&').replace(/\*+/g, '%');
}
