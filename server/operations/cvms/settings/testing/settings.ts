import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { OperationId } from '../../../../../generated/api/operations.gen';
import type { CvmChange, CvmRow } from '../../../../db/cvms/cvmsTable';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  type TestApp,
  type TestHost,
} from '../../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../../testing/server';

/** A server without a worker, two teams, and for each test a running CVM without a host. */
export class SettingsWorld {
  server!: TestServer;
  member!: TestClient;
  stranger!: TestClient;
  host!: TestHost;
  who!: { team_id: number; user_id: number };
  app!: TestApp;
  cvm!: CvmRow;
  #round = 0;

  constructor(env: Record<string, string> = {}) {
    beforeAll(async () => {
      this.server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', ...env } });
      this.member = await this.server.register();
      this.stranger = await this.server.register();
      this.who = await identityOf(this.db, this.member.email!);
      this.host = await insertHost(this.db, { name: 'eu-1' });
    });
    afterAll(() => this.server?.stop());
    beforeEach(async () => {
      const name = `app-${++this.#round}`;
      this.app = await insertApp(this.db, { ...this.who, host: this.host, name });
      this.cvm = await this.addCvm({ name });
    });
  }

  get db() {
    return this.server.services.db;
  }

  /** Adds another CVM to the app. */
  addCvm(change: CvmChange = {}): Promise<CvmRow> {
    return insertCvm(this.db, { ...this.app, host: this.host, ...this.who, change });
  }

  /** Calls an operation on the test's CVM. */
  call<K extends OperationId>(id: K, body?: unknown, client = this.member) {
    return client.call(id, { path: { cvm_id: this.cvm.public_id }, body });
  }

  now() {
    return this.db.selectFrom('cvms').selectAll().where('id', '=', this.cvm.id).executeTakeFirstOrThrow();
  }

  /** Event kinds, oldest first. */
  async events(): Promise<string[]> {
    const rows = await this.db
      .selectFrom('events')
      .select('kind')
      .where('cvm_id', '=', this.cvm.id)
      .orderBy('id')
      .execute();
    return rows.map(({ kind }) => kind);
  }

  live() {
    return this.db
      .selectFrom('operations')
      .selectAll()
      .where('cvm_id', '=', this.cvm.id)
      .where('state', 'in', ['queued', 'running'])
      .executeTakeFirst();
  }

  /** Returns the revision that the live operation will apply. */
  async nextRevision() {
    const operation = await this.live();
    return this.db
      .selectFrom('revisions')
      .selectAll()
      .where('id', '=', operation?.payload.revision_id ?? 0)
      .executeTakeFirstOrThrow();
  }
}
