/** Maximum messages and answers kept: a conversation may last as long as the page is open. */
export const MAX_TURNS = 200;

/** Returns the newest turns. */
export const recentTurns = <T>(turns: readonly T[]): T[] => turns.slice(-MAX_TURNS);

/** Returns the text of the box after a message failed: the message again, before what was typed in the meantime. */
export const givenBack = (message: string, typed: string): string =>
  typed.trim() === '' ? message : `${message}\n\n${typed}`;
