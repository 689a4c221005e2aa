import { sql, type RawBuilder } from 'kysely';

/** Whether an operation is a rollback. Reads the payload, which may hold ciphertext, only of updates. */
export const rollsBack = (table: string): RawBuilder<boolean> => {
  const operations = sql.table(table);
  return sql<boolean>`case when ${operations}.type = 'update'
    then coalesce((${operations}.payload->'rolls_back')::boolean, false) else false end`;
};
