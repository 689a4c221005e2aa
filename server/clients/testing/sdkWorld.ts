import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as phala from '@phala/cloud';
import { sshKey } from './fixtures';
import { record } from './recorder';
import { startWorld } from './world';

/** A Compose file whose log has a word and the secret. */
export const says = (word: string) => `services:
  web:
    image: nginx:alpine
    command: ["sh", "-c", "trap 'exit 0' TERM; echo ${word} $$SECRET; sleep 100000 & wait"]
    environment: ["SECRET"]
    ports: ["8080:80"]
`;

export type SdkWorld = Awaited<ReturnType<typeof startSdkWorld>>;

/** Starts the server for the clients, and a recorded SDK client for each API version. */
export async function startSdkWorld() {
  // Serves one profile's public keys, as GitHub does.
  const github = createServer((req, res) => {
    const known = req.url === '/octocat.keys';
    res.writeHead(known ? 200 : 404).end(known ? `${sshKey(7)}\n` : '');
  });
  await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve));
  const { port } = github.address() as AddressInfo;
  const world = await startWorld({ GITHUB_URL: `http://127.0.0.1:${port}` });
  const wire = await record(world.server.url);
  const config = { apiKey: world.token, baseURL: wire.prefix, timeout: 120_000 };
  const sdk: phala.Client<'2026-01-21'> = phala.createClient({ ...config, version: '2026-01-21' });
  const old: phala.Client<'2025-10-28'> = phala.createClient({ ...config, version: '2025-10-28' });
  return {
    world,
    wire,
    sdk,
    old,
    async stop() {
      await wire.close();
      github.close();
      await world.stop();
    },
  };
}
