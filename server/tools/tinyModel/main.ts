import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadEngine, type Engine } from './engine';
import { modelServer } from './server';
import { TINY_CONTEXT, TINY_MODEL, tinyModel } from './weights';

/**
 * `npx tsx server/tools/tinyModel/main.ts`: serves the tiny model, whose weights are random, with the llama.cpp
 * server options that "Deploy a model" writes. `npx tsx server/tools/tinyModel/main.ts FILE.gguf` only writes the
 * model file.
 */

/** Concurrent answers. */
const PARALLEL = 4;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'hf-repo': { type: 'string', default: TINY_MODEL },
    alias: { type: 'string', default: 'tiny-random' },
    // Accepted and unused: it always answers a few requests concurrently.
    parallel: { type: 'string' },
    'ctx-size': { type: 'string', default: String(TINY_CONTEXT) },
    'api-key': { type: 'string', default: '' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '8080' },
  },
});
const [file] = positionals;
if (file === undefined) await serve();
else await writeFile(file, tinyModel());

async function serve(): Promise<void> {
  const [repository = ''] = values['hf-repo'].split(':');
  if (repository !== TINY_MODEL)
    throw new Error(`This server has no weights but its own random ones, which it calls ${TINY_MODEL}.`);
  const contextLength = Math.min(Number(values['ctx-size']), TINY_CONTEXT);
  if (!(contextLength > 0)) throw new Error('--ctx-size must be a number of tokens.');
  const { alias, host } = values;
  const engine = load(contextLength);
  engine.catch((error: unknown) => {
    console.error('the model could not be loaded', error);
    process.exit(1);
  });
  const server = modelServer({ alias, apiKey: values['api-key'] || null, engine, log: console.log });
  server.listen(Number(values.port), host);
  await once(server, 'listening');
  console.log(`serving ${alias} (random weights, for testing) on ${host}:${values.port}`);
  for (const name of ['SIGTERM', 'SIGINT'] as const)
    process.once(name, () => {
      server.closeAllConnections();
      server.close(() => process.exit(0));
    });
}

async function load(contextLength: number): Promise<Engine> {
  const gguf = path.join(await mkdtemp(path.join(tmpdir(), 'tiny-model-')), 'tiny-random.gguf');
  await writeFile(gguf, tinyModel());
  report(0);
  if (process.env.HOLD_LOADING) await told(Number(process.env.HOLD_LOADING));
  const engine = await loadEngine(gguf, { contextLength, parallel: PARALLEL });
  report(1);
  return engine;
}

const report = (share: number) => console.log(`loading model: ${Math.round(share * 100)}%`);

/**
 * Waits until something requests this port: a model of gigabytes takes minutes to load, this one milliseconds,
 * and tests of pages that show the loading state must not depend on their speed.
 */
async function told(port: number): Promise<void> {
  report(0.5);
  const gate: Server = createServer((_req, res) => res.end('loading continues\n'));
  gate.listen(port, '127.0.0.1');
  await once(gate, 'request');
  gate.close();
}
