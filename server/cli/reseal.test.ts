import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEALED_COLUMNS } from '../db/core/sealedColumns';
import { createSeal } from '../domain/core/seal';
import { commandLine } from '../testing/commandLine';
import { createTestDatabase, type TestDatabase } from '../testing/database';

const [OLD, NEW, THIRD] = ['old', 'new', 'third'].map((name) => name.padEnd(32, '.')) as [
  string,
  string,
  string,
];
const sealOf = (secret: string) => createSeal(Buffer.from(secret));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const reseal = (secret: string, second?: string) =>
  commandLine({
    DATABASE_URL: database.url,
    DATA_DIR: '/tmp/teehouse-reseal',
    TEEHOUSE_SECRET: secret,
    ...(second === undefined ? {} : { TEEHOUSE_SECOND_SECRET: second }),
  })(['reseal']);

const storedToken = async () => {
  const { sealed_token } = await database.db
    .selectFrom('chat_bots')
    .select('sealed_token')
    .where('service', '=', 'telegram')
    .executeTakeFirstOrThrow();
  return sealed_token;
};

describe('reseal', () => {
  it('knows every sealed column of the database', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like 'sealed%' order by 1`.execute(database.db);
    expect(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)).toEqual(
      rows.map(({ name }) => name),
    );
  });

  it('walks every column', async () => {
    expect(await reseal(NEW, OLD)).toMatchObject({ code: 0, out: ['Nothing to re-encrypt.'] });
  });

  it('re-encrypts values of the second secret once, and records it', async () => {
    await database.db
      .insertInto('chat_bots')
      .values({
        service: 'telegram',
        sealed_token: sealOf(OLD).seal('chat-bot-token', '123:abc'),
        bot_id: '123',
        username: 'teehouse_bot',
        name: 'Teehouse',
      })
      .execute();
    const first = await reseal(NEW, OLD);
    expect(first).toMatchObject({
      code: 0,
      out: ['chat_bots.sealed_token: 1 value re-encrypted', '1 value re-encrypted.'],
    });
    expect(sealOf(NEW).open('chat-bot-token', await storedToken())).toBe('123:abc');
    expect((await reseal(NEW, OLD)).out).toEqual(['Nothing to re-encrypt.']);
    const audited = await database.db
      .selectFrom('audit_log')
      .select(['target_id', 'after'])
      .where('action', '=', 'secret.reseal')
      .execute();
    expect(audited).toEqual([{ target_id: 'chat_bots.sealed_token', after: { values: 1 } }]);
  });

  it('names values that neither secret decrypts and leaves them unchanged', async () => {
    const before = await storedToken();
    const { code, err } = await reseal(THIRD, OLD);
    expect(code).toBe(1);
    expect(err.join('\n')).toContain('Neither secret decrypts chat_bots.sealed_token (1).');
    expect(await storedToken()).toBe(before);
  });

  it('reports how many users have recovery codes from another secret', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into users (public_id, email, username) values ('usr_1', 'ada@example.test', 'ada')
      returning id`.execute(database.db);
    const user_id = rows[0]!.id;
    await database.db
      .insertInto('recovery_codes')
      .values([1, 2].map((byte) => ({ user_id, code_hash: Buffer.alloc(32, byte), hashed_with: null })))
      .execute();
    const { code, err } = await reseal(NEW, OLD);
    expect(code).toBe(0);
    expect(err.join('\n')).toMatch(/^Recovery codes of 1 user were hashed with another secret/m);
  });
});
