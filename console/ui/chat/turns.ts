/** Maximum messages and answers kept: a conversation may last as long as the page is open. */
export const MAX_TURNS = 200;

/** Returns the newest turns. */
export const recentTurns = <T>(turns: readonly T[]): T[] => turns.slice(-MAX_TURNS);
