import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { dockerSockets } from './find';

afterEach(() => vi.unstubAllEnvs());

test('tries the socket of the current docker context', async () => {
  const home = await mkdtemp(join(tmpdir(), 'docker-context-'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('DOCKER_HOST', '');
  const socket = join(home, '.docker/desktop/docker.sock');
  // sha256 of the context's name
  const meta = join(
    home,
    '.docker/contexts/meta/fe9c6bd7a66301f49ca9b6a70b217107cd1284598bfc254700c989b916da791e',
  );
  for (const folder of [join(socket, '..'), meta]) await mkdir(folder, { recursive: true });
  await writeFile(join(home, '.docker/config.json'), '{"currentContext": "desktop-linux"}');
  await writeFile(
    join(meta, 'meta.json'),
    JSON.stringify({ Endpoints: { docker: { Host: `unix://${socket}` } } }),
  );
  await writeFile(socket, '');
  expect((await dockerSockets()).at(-1)).toBe(socket);
  await rm(home, { recursive: true });
});
