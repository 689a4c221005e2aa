/** Values shorter than this aren't masked: masking “on” or “8080” would make a report unreadable, and hide little. */
const MIN_MASKED = 6;
/** Longest log line; server messages are truncated. */
const MAX_CHARACTERS = 2_000;

export interface Log {
  info(text: string): void;
  warning(text: string): void;
  error(text: string): void;
  /** Masks a secret in all further output, including results of `clean`. */
  hide(secret: string): void;
  /** Masks secrets in a text. */
  clean(text: string): string;
}

/**
 * Returns a log of plain lines. In a workflow (GitHub, Forgejo, Gitea), warnings and errors become annotations,
 * and secrets are registered with the runner, which also masks them in the output of later steps.
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
  /** Texts come from servers and Compose files: they must not move the cursor or contain runner commands. */
  const harmless = (text: string) =>
    clean(text)
      .slice(0, MAX_CHARACTERS)
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
        if (line.trim().length < MIN_MASKED || hidden.has(line)) continue;
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
