import { Kysely, PostgresDialect } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withTransaction } from '../../db/core/client';
import type { Database } from '../../db/core/schema';
import { meter } from '../../domain/billing/metering';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { closableUntil, closeTeamHour, closeUsage } from './closeUsage';
import { startBooks, UNCOVERED, type Books, type Point } from './testing/books';

/* Metering and the hourly close. The check numbers refer to the issue. */

let database: TestDatabase;
let books: Books;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await startBooks(database);
});
afterAll(() => database.drop());

const log = pino({ level: 'fatal' });
const close = (now: string) => closeUsage({ db: database.db, log, now: new Date(now) });

/** Creates a team with one CVM, closed until a full hour. */
async function metered(history: readonly Point[], now: string) {
  const team_id = await books.team();
  const cvm_id = await books.cvm(team_id, history);
  await close(now);
  return { team_id, cvm_id, lines: await books.lines(cvm_id), charged: await books.charged(team_id) };
}

const DAY = '2026-11-02T';
const at = (time: string) => `${DAY}${time}Z`;

describe('metered usage', () => {
  it('check 1: one hour at $0.058 costs $0.058', async () => {
    const { charged, lines } = await metered(
      [
        ['running', at('10:00:00')],
        ['deleted', at('11:00:00')],
      ],
      at('13:00:00'),
    );
    expect(charged).toBe(58_000);
    expect(lines.map(({ basis, seconds, amount_micros }) => [basis, seconds, amount_micros])).toEqual([
      ['size', 3600, 56_000],
      ['disk', 3600, 2_000],
    ]);
  });

  it(
    'check 2: 720 one-hour windows equal one month, with the fraction carried',
    { timeout: 600_000 },
    async () => {
      const rate = { hourly_rate_micros: 58_001, disk_gb: 7, vcpu: 1, gpu_rate_micros: 0 };
      const history: Point[] = [
        ['running', '2026-11-01T00:00:01Z', rate],
        ['deleted', '2026-11-30T23:59:58Z', rate],
      ];
      const { cvm_id } = await metered(history, '2026-12-01T02:00:00Z');
      // A run ends after some seconds even if hours are left. The next one continues.
      await expect
        .poll(
          async () => {
            await close('2026-12-01T02:00:00Z');
            return (await books.lines(cvm_id)).length;
          },
          { timeout: 500_000 },
        )
        .toBe(2 * 720);
      const all = await books.lines(cvm_id);
      const seconds = 30 * 86_400 - 3;
      const tracks = [
        [all.filter(({ basis }) => basis === 'size'), 57_301],
        [all.filter(({ basis }) => basis === 'disk'), 700],
      ] as const;
      for (const [own, hourly] of tracks) {
        expect(own.reduce((sum, line) => sum + line.seconds, 0)).toBe(seconds);
        expect(own.reduce((sum, line) => sum + line.amount_micros, 0)).toBe(
          Math.floor((seconds * hourly) / 3600),
        );
        // Each line starts with the remainder of the previous one.
        own.forEach((line, i) =>
          expect(line.carry).toBe(i === 0 ? 0 : (own[i - 1]!.carry + own[i - 1]!.seconds * hourly) % 3600),
        );
      }
      const month = meter(
        history.map(([status, at]) => ({ ...rate, ...UNCOVERED, status, memory_mb: 2048, at: new Date(at) })),
        { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-12-01T00:00:00Z') },
      );
      expect(await books.charged(all[0]!.team_id)).toBe(month.amount_micros);
    },
  );

  it('check 3: a stopped CVM pays for its disk, without an overlap', async () => {
    const { lines } = await metered(
      [
        ['running', at('01:00:00')],
        ['stopped', at('02:00:00')],
        ['running', at('05:00:00')],
        ['deleted', at('06:00:00')],
      ],
      at('07:00:00'),
    );
    expect(lines.map(({ basis, seconds, amount_micros }) => [basis, seconds, amount_micros])).toEqual([
      ['size', 3600, 56_000],
      ['disk', 3600, 2_000],
      ['disk', 3600, 2_000],
      ['disk', 3600, 2_000],
      ['disk', 3600, 2_000],
      ['size', 3600, 56_000],
      ['disk', 3600, 2_000],
    ]);
  });

  it("check 16: a CVM lost in a host outage isn't billed; its size or disk is billed again afterward", async () => {
    const { lines, charged } = await metered(
      [
        ['running', at('01:00:00')],
        ['lost', at('01:30:00')],
        ['running', at('01:40:00')],
        ['lost', at('02:00:00')],
        ['running', at('04:00:00')],
        ['stopped', at('05:00:00')],
        ['lost', at('05:30:00')],
        ['stopped', at('07:30:00')],
        ['deleted', at('08:00:00')],
      ],
      at('09:00:00'),
    );
    expect(
      lines.map(({ status, basis, seconds, amount_micros }) => [status, basis, seconds, amount_micros]),
    ).toEqual([
      ['running', 'size', 1800, 28_000],
      ['running', 'disk', 1800, 1_000],
      // Ten minutes later.
      ['running', 'size', 1200, 18_666],
      ['running', 'disk', 1200, 666],
      ['running', 'size', 3600, 56_000],
      ['running', 'disk', 3600, 2_000],
      ['stopped', 'disk', 1800, 1_000],
      ['stopped', 'disk', 1800, 1_000],
    ]);
    expect(charged).toBe(108_332);
  });

  it('check 4: a resize at half past makes two lines, exact to the second', async () => {
    const { lines } = await metered(
      [
        ['running', at('01:00:00')],
        ['running', at('01:30:00'), { vcpu: 2, hourly_rate_micros: 116_000 }],
        ['deleted', at('02:00:00')],
      ],
      at('03:00:00'),
    );
    expect(lines.map(({ vcpu, seconds, amount_micros }) => [vcpu, seconds, amount_micros])).toEqual([
      [1, 1800, 28_000],
      [1, 1800, 1_000],
      [2, 1800, 57_000],
      [2, 1800, 1_000],
    ]);
  });

  it('check 5: a restart and an update are charged without a gap', async () => {
    const { lines, charged } = await metered(
      [
        ['running', at('01:00:00')],
        ['restarting', at('01:10:00')],
        ['running', at('01:11:00')],
        ['updating', at('01:20:00')],
        ['running', at('01:25:00')],
        ['deleted', at('02:00:00')],
      ],
      at('03:00:00'),
    );
    expect(charged).toBe(58_000);
    for (const track of ['size', 'disk']) {
      const own = lines.filter(({ basis }) => basis === track);
      expect(own).toHaveLength(lines.length / 2);
      own.slice(1).forEach((line, i) => expect(line.starts_at).toEqual(own[i]!.ends_at));
    }
  });

  it('check 6: a CVM that fails while it is created costs nothing', async () => {
    const { charged, lines, team_id } = await metered(
      [
        ['creating', at('01:00:00')],
        ['error', at('01:05:00')],
        ['deleted', at('09:00:00')],
      ],
      at('11:00:00'),
    );
    expect([charged, lines.length]).toEqual([0, 0]);
    expect(await books.transactions(team_id)).toEqual([]);
  });

  it('check 7: a change dated before its predecessor yields no negative or duplicate second', async () => {
    const { lines } = await metered(
      [
        ['running', at('01:00:00')],
        ['stopped', at('01:20:00')],
        ['running', at('01:10:00')],
        ['deleted', at('02:00:00')],
      ],
      at('03:00:00'),
    );
    expect(lines.every(({ seconds }) => seconds > 0)).toBe(true);
    const disk = lines.filter(({ basis }) => basis === 'disk');
    expect(disk.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(3600);
  });

  it("check 8: a stopped CVM's disk is billed up to the second of its deletion", async () => {
    const { lines } = await metered(
      [
        ['running', at('01:00:00')],
        ['stopped', at('02:00:00')],
        ['deleting', at('03:30:07')],
        ['deleted', at('03:31:00')],
      ],
      at('05:00:00'),
    );
    expect(lines.at(-1)).toMatchObject({ basis: 'disk', ends_at: new Date(at('03:30:07')) });
  });

  it('check 13: months have their UTC length, to the second', async () => {
    const { lines, cvm_id } = await metered(
      [
        ['running', '2026-11-30T23:59:59Z'],
        ['deleted', '2026-12-01T00:00:01Z'],
      ],
      '2026-12-01T02:00:00Z',
    );
    expect(lines.map(({ starts_at, seconds }) => [starts_at.getUTCMonth() + 1, seconds])).toEqual([
      [11, 1],
      [11, 1],
      [12, 1],
      [12, 1],
    ]);
    expect(cvm_id).toBeGreaterThan(0);
  });

  it('check 14: size, disk and GPUs are lines that add up to the rate', async () => {
    const gpu = { hourly_rate_micros: 3_500_000, gpu_rate_micros: 2_800_000 };
    const { lines, charged } = await metered(
      [
        ['running', at('01:00:00'), gpu],
        ['deleted', at('02:00:00'), gpu],
      ],
      at('03:00:00'),
    );
    expect(lines.map(({ basis, amount_micros }) => [basis, amount_micros])).toEqual([
      ['size', 698_000],
      ['disk', 2_000],
      ['gpu', 2_800_000],
    ]);
    expect(charged).toBe(3_500_000);
  });

  it('is nothing before billing was introduced', async () => {
    const team_id = await books.team();
    const cvm_id = await books.cvm(team_id, [['running', at('01:00:00')]]);
    await database.db
      .updateTable('usage_meters')
      .set({ billed_from: new Date(at('01:45:00')), closed_until: new Date(at('01:45:00')) })
      .where('cvm_id', '=', cvm_id)
      .execute();
    await close(at('02:10:00'));
    expect((await books.lines(cvm_id)).map(({ seconds }) => seconds)).toEqual([900, 900]);
  });
});

describe('the hourly close', () => {
  it('waits five minutes after the hour', () => {
    expect(closableUntil(new Date(at('11:04:59')))).toEqual(new Date(at('10:00:00')));
    expect(closableUntil(new Date(at('11:05:00')))).toEqual(new Date(at('11:00:00')));
  });

  it('check 9: posts one transaction per team and hour, even if run twice or by two workers', async () => {
    const team_id = await books.team();
    for (let i = 0; i < 3; i++)
      await books.cvm(team_id, [
        ['running', at('01:00:00')],
        ['deleted', at('03:00:00')],
      ]);
    await Promise.all([close(at('04:10:00')), close(at('04:10:00'))]);
    await close(at('04:10:00'));
    const posted = await books.transactions(team_id);
    expect(posted.map(({ kind, source_id }) => [kind, source_id])).toEqual([
      ['usage', `${team_id}/2026-11-02T01`],
      ['usage', `${team_id}/2026-11-02T02`],
    ]);
    expect(await books.charged(team_id)).toBe(6 * 58_000);
  });

  it('check 10: lines, transaction and meters are stored together or not at all', async () => {
    const team_id = await books.team();
    const cvm_id = await books.cvm(team_id, [
      ['running', at('01:00:00')],
      ['deleted', at('02:00:00')],
    ]);
    await expect(
      withTransaction(database.db, async (trx) => {
        await closeTeamHour(trx, team_id, new Date(at('02:00:00')));
        throw new Error('killed here');
      }),
    ).rejects.toThrow('killed here');
    expect([await books.lines(cvm_id), await books.transactions(team_id)]).toEqual([[], []]);
    await close(at('03:10:00'));
    expect(await books.charged(team_id)).toBe(58_000);
  });

  it('check 11: a change that arrives after the close becomes one linked correction; posted lines stay', async () => {
    const team_id = await books.team();
    const cvm_id = await books.cvm(team_id, [['running', at('01:00:00')]]);
    await close(at('03:10:00'));
    const before = await books.lines(cvm_id);
    expect(await books.charged(team_id)).toBe(2 * 58_000);
    // It stopped at 02:30, which is known only now.
    await books.change(cvm_id, ['stopped', at('02:30:00')]);
    await close(at('04:10:00'));
    await close(at('05:10:00'));
    const after = await books.lines(cvm_id);
    expect(after.slice(0, before.length)).toEqual(before);
    const corrections = after.filter(({ corrects }) => corrects !== null);
    expect(corrections.map(({ basis, seconds, amount_micros }) => [basis, seconds, amount_micros])).toEqual([
      ['size', 1800, -28_000],
      ['disk', 1800, -1_000],
      ['disk', 1800, 1_000],
    ]);
    const posted = await books.transactions(team_id);
    const [correction, ...others] = posted.filter(({ kind }) => kind === 'usage_correction');
    expect(others).toEqual([]);
    expect(correction?.corrects).toBe(posted.find(({ source_id }) => source_id.endsWith('T02'))?.id);
    // 1.5 hours of the size and 2.5 of the disk.
    expect(await books.charged(team_id)).toBe(87_000 + 5_000);
  });

  it('check 17: takes as many statements for fifty CVMs of a team as for one', async () => {
    let statements = 0;
    const counted = new Kysely<Database>({
      dialect: new PostgresDialect({ pool: database.pool }),
      log: () => void (statements += 1),
    });
    const counts: number[] = [];
    for (const cvms of [1, 50]) {
      const team_id = await books.team();
      for (let i = 0; i < cvms; i++)
        await books.cvm(team_id, [
          ['running', at('01:00:00')],
          ['stopped', at('01:30:00')],
        ]);
      statements = 0;
      await withTransaction(counted, (trx) => closeTeamHour(trx, team_id, new Date(at('02:00:00'))));
      counts.push(statements);
      expect(await books.charged(team_id)).toBe(cvms * 30_000);
    }
    expect(counts[1]).toBe(counts[0]);
  });

  it('corrects the same hours again when another late change follows', async () => {
    const team_id = await books.team();
    const cvm_id = await books.cvm(team_id, [['running', at('01:00:00')]]);
    await close(at('03:10:00'));
    await books.change(cvm_id, ['stopped', at('02:30:00')]);
    await close(at('04:10:00'));
    await books.change(cvm_id, ['running', at('02:45:00')]);
    await books.change(cvm_id, ['deleted', at('04:00:00')]);
    await close(at('05:10:00'));
    // 01:00–02:30 and 02:45–04:00 at full size, a quarter of an hour of disk.
    expect(await books.charged(team_id)).toBe(Math.floor(58_000 * 2.75 + 2_000 * 0.25));
  });
});
