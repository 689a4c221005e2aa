/*
 * Markdown around untrusted texts: Compose files, boot errors, names. Inside code, GitHub and GitLab neither
 * render HTML nor notify @users, so such texts appear only there, between more backticks than they contain.
 */

/** Makes characters visible that would hide or reorder others; line ends and tabs stay. */
const visible = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\u{fffd}');

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** A code block. Its content can't end it. */
export function codeBlock(text: string, language = ''): string {
  const content = visible(text);
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}${language}\n${content.replace(/\n+$/, '')}\n${fence}`;
}

/** Inline code. */
export function codeSpan(text: string, most = 300): string {
  const line = visible(text)
    .replaceAll(/[\n\t]+/g, ' ')
    .trim();
  const shown = line.length > most ? `${line.slice(0, most)}…` : line;
  if (shown === '') return '—';
  const ticks = '`'.repeat(longestRun(shown) + 1);
  return ticks.length > 1 ? `${ticks} ${shown} ${ticks}` : `${ticks}${shown}${ticks}`;
}

/** A folded section. @param title plain text written by this program */
export const folded = (title: string, content: string): string =>
  `<details><summary>${title}</summary>\n\n${content}\n\n</details>`;
