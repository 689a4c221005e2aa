import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { createDb, createPool, type Db } from '../db/client';
import { connectTo } from './globalSetup';

export interface TestDatabase {
  pool: pg.Pool;
  db: Db;
  /** For a further pool, a listener or a queue on the same database. */
  connection: pg.PoolConfig;
  /** As DATABASE_URL takes it. */
  url: string;
  /** Closes the pool and removes the database, whoever is still connected. */
  drop(): Promise<void>;
}

/**
 * A migrated, empty database of its own, some 100 ms after asking. One per test file: make it in `beforeAll` and drop
 * it in `afterAll`.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { connection: server, template } = inject('testDatabases');
  const name = `t_${randomBytes(6).toString('hex')}`;
  await once(server, `create database ${name} template ${template}`);
  const connection = connectTo(server, name);
  const pool = createPool(connection, { applicationName: name, size: 10 });
  return {
    pool,
    db: createDb(pool),
    connection,
    url:
      connection.connectionString ??
      `postgresql://${connection.user}@localhost/${name}?host=${encodeURIComponent(connection.host ?? '')}`,
    async drop() {
      await pool.end();
      await once(server, `drop database if exists ${name} with (force)`);
    },
  };
}

async function once(connection: pg.PoolConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
