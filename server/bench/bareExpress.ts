import express, { type Request, type Response } from 'express';
import pg from 'pg';
import type { Waves } from './recorded';

/**
 * The lower bound: Express running Teehouse's exact statements for the same request (including the token lookup)
 * on the same database, with a pool of the same size, sending the rows unchanged. No permissions, validation,
 * mapping or log. Below /prepared the statements are prepared, like Teehouse's most frequent ones.
 */
interface Job {
  port: number;
  connection: pg.PoolConfig;
  routes: {
    path: string;
    waves: Waves;
    /** Replaced in the statements' values by the path's parameter. */ id?: string;
  }[];
}

process.on('message', ({ port, connection, routes }: Job) => {
  const pool = new pg.Pool({ ...connection, max: 10 });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/readyz', (_req, res) => void res.json({}));
  for (const { path, waves, id } of routes) {
    const handler = async (given: string | undefined, prepared: boolean, res: Response) => {
      const rows: unknown[] = [];
      for (const wave of waves) {
        const replies = await Promise.all(
          wave.map(({ text, values }) =>
            pool.query({
              ...(prepared ? { name: nameOf(text) } : {}),
              text,
              values: values.map((value) => revived(value === id && id !== undefined ? given : value)),
            }),
          ),
        );
        rows.push(...replies.map((reply) => reply.rows));
      }
      res.json(rows);
    };
    // Express itself turns a rejection into a 500.
    app.get(path, (req, res) => handler(idOf(req), false, res));
    app.get(`/prepared${path}`, (req, res) => handler(idOf(req), true, res));
  }
  app.listen(port, '127.0.0.1');
});

const idOf = (req: Request) => (req.params as Record<string, string | undefined>).id;

const names = new Map<string, string>();

/** With a name, pg makes PostgreSQL keep the statement parsed and planned. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `bare_${names.size}`;
  names.set(text, name);
  return name;
}

/** Messages between processes are JSON, but a token's hash is bytes. */
function revived(value: unknown): unknown {
  const bytes = value as { type?: string; data?: number[] } | null;
  return bytes?.type === 'Buffer' && bytes.data ? Buffer.from(bytes.data) : value;
}
