import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Problem } from '../../domain/core/problem';
import { FROM_SOURCE, ROOT } from '../../root';
import type { ComposeAnalysis, ComposeAnalyzer } from './index';
import { AnalysisRefused, createAnalysisPool, type AnalysisPool } from './pool';

/** One request plans its file up to four times; other requests rarely repeat it. */
const REMEMBERED = 50;

// One pool per process, however many servers tests start in it.
let shared: AnalysisPool | undefined;

function sharedPool(): AnalysisPool {
  shared ??= createAnalysisPool({
    entry: pathToFileURL(
      join(
        ROOT,
        FROM_SOURCE ? 'server/drivers/compose/workerFromSource.mjs' : 'dist/server/composeWorker.js',
      ),
    ),
    execArgv: FROM_SOURCE ? [] : ['--enable-source-maps'],
  });
  return shared;
}

export function createComposeAnalyzer(pool: () => AnalysisPool = sharedPool): ComposeAnalyzer {
  const remembered = new Map<string, Promise<ComposeAnalysis>>();
  return {
    async analyze(text, owner, context = {}) {
      const key = createHash('sha256')
        .update(JSON.stringify([text, context]))
        .digest('base64');
      const known = remembered.get(key);
      const analysis = known ?? pool().run({ text, context }, owner).catch(explain);
      remembered.delete(key); // move to the end: the first entries are the least recently used
      remembered.set(key, analysis);
      if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value ?? '');
      try {
        return await analysis;
      } catch (error) {
        if (remembered.get(key) === analysis) remembered.delete(key);
        throw error;
      }
    },
  };
}

function explain(error: unknown): never {
  if (!(error instanceof AnalysisRefused)) throw error;
  if (error.reason === 'busy')
    throw new Problem('RATE_LIMITED', {
      message: 'Too many of your Compose files are being checked. Wait a few seconds and try again.',
      retryAfter: 5,
    });
  throw tooComplex(`Checking the Compose file exceeds the limit on ${error.reason}.`);
}

function tooComplex(reason: string): Problem {
  return new Problem('COMPOSE_TOO_COMPLEX', {
    message: reason,
    details: [{ field: 'docker_compose_file', message: reason }],
    suggestions: ['Remove repeated aliases and port ranges, or split the file into several apps.'],
  });
}
