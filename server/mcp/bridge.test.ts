import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NEW_OWN_SERVER, type OwnServer } from '../../console/lib/mcp/own/ownServer';
import {
  bridge,
  commandsOf,
  freePort,
  KEY,
  run,
  stopPrograms,
} from '../../console/lib/mcp/own/testing/deployed';
import { bundle } from './bundle';
import { conformanceProxy, type ConformanceProxy } from './testing/conformance';

/* The bridge in front of a stdio program, as deployed: extracted from the Compose file. The package is installed. */

const own: OwnServer = { ...NEW_OWN_SERVER, name: 'example', version: '1.0.0' };

let folder: string;
let proxy: ConformanceProxy;
beforeAll(async () => {
  proxy = await conformanceProxy();
  folder = await mkdtemp(path.join(tmpdir(), 'teehouse-bridge-'));
  const home = path.join(folder, 'node_modules/example');
  const program = path.join(home, 'example.mjs');
  await mkdir(home, { recursive: true });
  await mkdir(path.join(folder, 'node_modules/.bin'));
  await writeFile(path.join(folder, 'installed'), 'example@1.0.0');
  await writeFile(path.join(home, 'package.json'), JSON.stringify({ bin: './example.mjs' }));
  await writeFile(program, `#!${process.execPath}\n${await bundle('../testing/exampleServer.ts')}`);
  await chmod(program, 0o755);
  await symlink(program, path.join(folder, 'node_modules/.bin/example'));
});
afterAll(async () => {
  stopPrograms();
  proxy.close();
  await rm(folder, { recursive: true, force: true });
});

it('passes every scenario of the MCP conformance suite in front of the suite’s example server', async () => {
  const port = await freePort();
  const [, ...args] = commandsOf(own).server;
  await run(
    process.execPath,
    args.map((one) =>
      one
        .replace('root = "/srv"', `root = ${JSON.stringify(folder)}`)
        .replace('listen(9000', `listen(${port}`),
    ),
  );
  const url = await bridge(own, port, { MCP_ORIGINS: proxy.origin, MCP_REQUESTS_PER_MINUTE: '10000' });
  const found = await proxy.conformance(url, KEY);
  expect(Object.keys(found).length).toBeGreaterThan(25);
  expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
});
