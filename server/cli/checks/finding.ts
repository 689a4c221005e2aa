/** A finding of `teehouse doctor` or another check about one subject. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail';
  what: string;
  text: string;
  /** What the operator should do. */
  advice?: string;
}

export const ok = (what: string, text: string): Finding => ({ level: 'ok', what, text });
export const warn = (what: string, text: string, advice?: string): Finding => ({
  level: 'warn',
  what,
  text,
  ...(advice ? { advice } : {}),
});
export const fail = (what: string, text: string, advice: string): Finding => ({
  level: 'fail',
  what,
  text,
  advice,
});

/** Formats a finding as lines: the finding, then the advice. */
export const findingLines = ({ level, what, text, advice }: Finding): string[] => [
  `${level.padEnd(4)}  ${what.padEnd(13)}  ${text}`,
  ...(advice ? [`${' '.repeat(21)}→ ${advice}`] : []),
];
