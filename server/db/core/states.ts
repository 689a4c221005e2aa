import { sql, type RawBuilder } from 'kysely';

/** Matches rows in one of these states. Uses literals, so that partial indexes on these states apply. */
export const isIn = (column: string, states: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} in (${sql.join(states.map((state) => sql.lit(state)))})`;
