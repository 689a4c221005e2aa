import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import pg from 'pg';

/** Request header with a measurement's name. Requests without it aren't counted. */
const HEADER = 'x-count-queries';

export interface QueryCounter {
  /** Sends one request with the given headers added; returns the statements the server ran for it, in order. */
  during(request: (headers: Record<string, string>) => Promise<unknown>): Promise<string[]>;
  /** Runs background work of this process; returns its statements, in order. */
  of(work: () => Promise<unknown>): Promise<string[]>;
  stop(): void;
}

/**
 * Records the statements a request runs on PostgreSQL, including `begin` and `commit`. The server must run in
 * this process. Background work has no request and isn't counted, except by `of`. Connections must be opened after
 * this call.
 */
export function countQueries(): QueryCounter {
  const requests = new AsyncLocalStorage<string[]>();
  const measured = new Map<string, string[]>();
  const onRequest = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    const statements = measured.get(String(request.headers[HEADER]));
    if (statements) requests.enterWith(statements);
  };
  subscribe('http.server.request.start', onRequest);

  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
  const query = prototype.query;
  prototype.query = function (this: unknown, ...given: unknown[]): unknown {
    const [first] = given;
    requests.getStore()?.push(typeof first === 'string' ? first : ((first as { text?: string }).text ?? ''));
    return query.apply(this, given);
  };

  let count = 0;
  return {
    async during(request) {
      const name = `measurement-${++count}`;
      const statements: string[] = [];
      measured.set(name, statements);
      await request({ [HEADER]: name });
      measured.delete(name);
      return statements;
    },
    async of(work) {
      const statements: string[] = [];
      await requests.run(statements, work);
      return statements;
    },
    stop() {
      unsubscribe('http.server.request.start', onRequest);
      prototype.query = query;
    },
  };
}
