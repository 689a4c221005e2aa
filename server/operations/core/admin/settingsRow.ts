import type { Config } from '../../../config';
import type { Db, Tx } from '../../../db/core/client';
import type { Context } from '../../types';
import { changesOf, checkIfMatch, etagOf, keysOf, nextVersion } from './change';

/** Settings stored in a single-row table. */
export interface SettingsRow<Row extends { updated_at: Date }, Out extends { updated_at: string }> {
  /** Name of the table and in audit entries. */
  kind: string;
  read(db: Db | Tx): Promise<Row>;
  /** Returns the row, locked until the transaction ends. */
  lock(trx: Tx): Promise<Row>;
  change(trx: Tx, changes: Partial<Out>, updated_at: Date): Promise<Row>;
  /** The displayed settings, which changes are compared with. */
  out(row: Row, config: Config): Out;
}

const replyOf = <Row extends { updated_at: Date }, Out extends { updated_at: string }>(
  { kind, out }: SettingsRow<Row, Out>,
  ctx: Context,
  row: Row,
) =>
  ({
    status: 200,
    headers: { ETag: etagOf(kind, 'all', row.updated_at) },
    body: out(row, ctx.config),
  }) as const;

/** Creates the handler that reads settings. */
export const settingsReader =
  <Row extends { updated_at: Date }, Out extends { updated_at: string }>(settings: SettingsRow<Row, Out>) =>
  async ({ ctx }: { ctx: Context }) =>
    replyOf(settings, ctx, await settings.read(ctx.db));

/** Creates the handler that changes settings. Without a difference, nothing is written. */
export const settingsUpdater =
  <Row extends { updated_at: Date }, Out extends { updated_at: string }>(settings: SettingsRow<Row, Out>) =>
  async ({ body, ctx }: { body: { [K in keyof Out]?: Out[K] | undefined }; ctx: Context }) => {
    const { kind, read, lock, change, out } = settings;
    const check = (row: Row) => {
      checkIfMatch(ctx, etagOf(kind, 'all', row.updated_at));
      return out(row, ctx.config);
    };
    const found = await read(ctx.db);
    if (Object.keys(changesOf(check(found), body)).length === 0) return replyOf(settings, ctx, found);
    return ctx.write(async ({ trx, audit }) => {
      const row = await lock(trx);
      const before = check(row);
      const changes = changesOf(before, body);
      const changed = await change(trx, changes, nextVersion(row));
      await audit({
        action: `${kind}.update`,
        target_kind: kind,
        target_id: 'all',
        before: keysOf(before, Object.keys(changes)),
        after: keysOf(changes, Object.keys(changes)),
      });
      return replyOf(settings, ctx, changed);
    });
  };
