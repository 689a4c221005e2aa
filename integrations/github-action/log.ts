/** Values shorter than this aren't masked: masking “on” or “8080” would make a report unreadable, and hide little. */
const SHORTEST_MASKED = 6;
/** Longest line of a log; what servers say is cut. */
const MOST_CHARACTERS = 2_000;

export interface Log {
  info(text: string): void;
  warning(text: string): void;
  error(text: string): void;
  /** Keeps a secret out of everything that is written from now on, also out of what `clean` returns. */
  hide(secret: string): void;
  /** Replaces hidden secrets in a text. */
  clean(text: string): string;
}

/**
 * Returns a log of plain lines. In a workflow (GitHub, Forgejo, Gitea), warnings and errors are annotations, and secrets are
 * announced to the runner, which masks them in the output of later steps, too.
 * @param write writes one line, without its end
 */
export function createLog(write: (line: string) => void, { workflow }: { workflow: boolean }): Log {
  const hidden = new Set<string>();
  const clean = (text: string) => {
    let cleaned = text;
    for (const secret of [...hidden].sort((a, b) => b.length - a.length))
      cleaned = cleaned.replaceAll(secret, '***');
    return cleaned;
  };
  /** Texts come from servers and Compose files: they must neither move the cursor nor give the runner a command. */
  const harmless = (text: string) =>
    clean(text)
      .slice(0, MOST_CHARACTERS)
      .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\u{fffd}')
      .replace(/^(\s*):(?=:)/, '$1: ')
      .replaceAll('##[', '## [');
  const lines = (text: string) => text.split(/\r\n|\n|\r/).map(harmless);
  const annotate = (kind: 'warning' | 'error', text: string) => {
    if (workflow) write(`::${kind}::${escapeData(lines(text).join('\n'))}`);
    else for (const line of lines(text)) write(`${kind}: ${line}`);
  };
  return {
    info: (text) => lines(text).forEach(write),
    warning: (text) => annotate('warning', text),
    error: (text) => annotate('error', text),
    hide(secret) {
      // Runners mask line by line.
      for (const line of [secret, ...secret.split(/\r\n|\n|\r/)]) {
        if (line.trim().length < SHORTEST_MASKED || hidden.has(line)) continue;
        hidden.add(line);
        if (workflow) write(`::add-mask::${escapeData(line)}`);
      }
    },
    clean,
  };
}

/** Escapes the data of a workflow command. */
const escapeData = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
