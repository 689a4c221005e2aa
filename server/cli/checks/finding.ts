/** One line of `teehouse doctor`. */
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
