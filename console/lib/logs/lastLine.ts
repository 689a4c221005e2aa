import { stripAnsi } from './ansi';

const SEPARATORS = /\r\n|\r|\n| \| /;
const TELLING =
  /\b(error|fail(ed|ure|s)?|denied|refused|not found|no such|cannot|can't|unable|invalid|unauthorized|missing|unknown|panic|fatal|exception|exceeded|tim(ed|e) ?out)\b/i;
const STATUS_ONLY = /^(process |command )?(exit(ed)?|returned)\b.{0,20}\b(code|status)\b.{0,8}$/i;

/** Returns the line of a program's output that most likely explains its failure; '' if there is none. */
export function lastMeaningfulLine(output: string): string {
  const lines = stripAnsi(output)
    .split(SEPARATORS)
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const informative = lines.filter((line) => !STATUS_ONLY.test(line));
  return informative.findLast((line) => TELLING.test(line)) ?? informative.at(-1) ?? lines.at(-1) ?? '';
}
