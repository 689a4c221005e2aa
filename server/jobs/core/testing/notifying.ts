import type { EventKind } from '../../../../console/lib/activity/eventKinds';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { addEvent } from '../../../db/activity/operations';
import type { Db } from '../../../db/core/client';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import type { TeamRole } from '../../../domain/core/caller';
import { publicId } from '../../../domain/core/publicId';
import { createSeal } from '../../../domain/core/seal';
import { insertApp, insertCvm, insertHost, type TestApp, type TestHost } from '../../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../../testing/database';
import { mailsTo } from '../../../testing/mail';
import { insertTeam, type TestTeam } from '../../../testing/teamFixtures';
import { createMailOutbox } from '../../notifications/mailOutbox';
import { fanOutEvents } from '../../notifications/notifyFeed';
import { mailNotifications } from '../../notifications/notifyMail';

const seal = createSeal(Buffer.from('s'.repeat(40)));
const outbox = createMailOutbox({
  brand: 'Teehouse',
  config: {
    publicUrl: 'https://cloud.example.test',
    smtpUrl: undefined,
    mailFrom: { name: 'T', address: 'a@b.test' },
  },
  seal,
  jobs: { enqueueMail: async () => undefined },
});

let database: TestDatabase;
export let db: Db;
let host: TestHost;
export let team: TestTeam;
export let app: TestApp;
export let cvm: CvmRow;
export let at: Date;
let count = 0;
/**
 * Called by each test file. Sets up its own database, and for every test a team with one CVM, at noon of an
 * ordinary day.
 */
export function prepareNotifications(): void {
  beforeAll(async () => {
    database = await createTestDatabase();
    db = database.db;
    host = await insertHost(db);
  });
  beforeEach(async () => {
    // A new team, and noon of an ordinary day.
    at = new Date('2026-11-18T12:00:00Z');
    team = await insertTeam(db, `told-${++count}`);
    app = await insertApp(db, { team_id: team.id, host, name: `web${count}` });
    cvm = await insertCvm(db, { ...app, host });
    await db.deleteFrom('event_feed').execute();
    await db.deleteFrom('notifications').execute();
  });
  afterAll(() => database.drop());
}

export interface Person {
  id: number;
  email: string;
}
export async function person(
  role: TeamRole,
  change: { confirmed?: boolean; state?: 'active' | 'suspended' } = {},
) {
  const email = `p${Math.random().toString(36).slice(2, 10)}@example.test`;
  const { id } = await db
    .insertInto('users')
    .values({
      public_id: publicId('usr'),
      email,
      username: 'Ada',
      state: change.state ?? 'active',
      email_verified_at: change.confirmed === false ? null : new Date(),
      password_hash: null,
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('memberships').values({ team_id: team.id, user_id: id, role }).execute();
  return { id, email } satisfies Person;
}
/** Sets the tests' clock. */
export const setTime = (now: Date) => (at = now);
export const pass = (minutes: number) => (at = new Date(at.getTime() + minutes * 60_000));
export async function happen(
  kind: EventKind,
  of: CvmRow = cvm,
  message = `${kind} message`,
  severity?: 'info' | 'warning',
) {
  const failed = /failed|lost|disk_low/.test(kind);
  await addEvent(db, { cvm: of, kind, severity: severity ?? (failed ? 'error' : 'info'), message });
  await fanOutEvents(db, 'https://cloud.example.test', () => at);
}
export const mail = () =>
  mailNotifications({ db, outbox, seal, public_url: 'https://cloud.example.test', now: () => at });
export async function mailsOf({ email }: Person) {
  return (await mailsTo({ db, seal }, email)).map(({ subject, text }) => ({ subject, text }));
}
export const rows = ({ id }: Person) =>
  db.selectFrom('notifications').selectAll().where('user_id', '=', id).orderBy('position').execute();
export const another = () => insertCvm(db, { ...app, host });
