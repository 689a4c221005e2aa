import { countUsersOfOtherCodes } from '../db/accounts/recoveryCodes';
import {
  replaceSealedValue,
  SEALED_COLUMNS,
  takeSealedValues,
  type SealedColumn,
  type SealedValue,
} from '../db/core/sealedColumns';
import type { Db } from '../db/core/client';
import { recoveryCodeSecret } from '../domain/accounts/recoveryCode';
import type { Seal } from '../domain/core/seal';
import { loadSeal } from '../loadSeal';
import { counted } from '../../console/lib/texts/count';
import { audit, withDatabase, write } from './database';
import { CommandError, type Cli } from './io';
import { parseOptions } from './options';

const VALUES = ['value', 'values'] as const;

/**
 * Re-encrypts everything encrypted with TEEHOUSE_SECOND_SECRET with TEEHOUSE_SECRET, while the server runs. Can
 * be interrupted and repeated.
 */
export async function resealCommand(cli: Cli, args: string[]): Promise<void> {
  parseOptions(args, {});
  await withDatabase(cli, 'reseal', async ({ config, db }) => {
    const seal = await loadSeal(config);
    let total = 0;
    const unreadable: string[] = [];
    for (const column of SEALED_COLUMNS) {
      const { renewed, failed } = await resealColumn(db, seal, column);
      total += renewed;
      if (renewed > 0) cli.out(`${column.table}.${column.column}: ${counted(renewed, VALUES)} re-encrypted`);
      if (failed > 0) unreadable.push(`${column.table}.${column.column} (${failed})`);
    }
    cli.out(total === 0 ? 'Nothing to re-encrypt.' : `${counted(total, VALUES)} re-encrypted.`);
    const users = await countUsersOfOtherCodes(db, recoveryCodeSecret(seal));
    if (users > 0)
      cli.err(
        `Recovery codes of ${counted(users, ['user', 'users'])} were hashed with another secret, or before Teehouse recorded which one. Codes hashed with TEEHOUSE_SECOND_SECRET stop working when you remove it; users can create new ones in their account settings.`,
      );
    if (unreadable.length > 0)
      throw new CommandError(
        `Neither secret decrypts ${unreadable.join(', ')}. Set TEEHOUSE_SECOND_SECRET to the secret they were encrypted with, then run this command again.`,
      );
  });
}

/** One transaction per batch, with its audit entry, so that rows are locked only briefly. */
async function resealColumn(db: Db, seal: Seal, column: SealedColumn) {
  let after: SealedValue['key'] | null = null;
  const done = { renewed: 0, failed: 0 };
  for (;;) {
    const batch: { renewed: number; failed: number; last: SealedValue['key'] | undefined } = await write(
      db,
      async (trx) => {
        const found = await takeSealedValues(trx, column, after);
        let [renewed, failed] = [0, 0];
        for (const { key, value } of found) {
          const again = renew(seal, column, value);
          if (again === undefined) failed += 1;
          if (!again) continue;
          await replaceSealedValue(trx, column, { key, value: again });
          renewed += 1;
        }
        if (renewed > 0)
          await audit(trx, {
            action: 'secret.reseal',
            target_kind: 'database',
            target_id: `${column.table}.${column.column}`,
            after: { values: renewed },
          });
        return { renewed, failed, last: found.at(-1)?.key };
      },
    );
    done.renewed += batch.renewed;
    done.failed += batch.failed;
    if (batch.last === undefined) return done;
    after = batch.last;
  }
}

/** Returns the resealed value, null if current, and undefined if neither secret opens it. */
function renew(seal: Seal, { purpose }: SealedColumn, value: string): string | null | undefined {
  try {
    return seal.renew(purpose, value);
  } catch {
    return undefined;
  }
}
