import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { openEnv } from '../../../console/lib/secrets/seal';
import { Kms } from '../../teepod/kms';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { ensureDocker, ensureTestImages, removeTeepodContainers } from '../../tools/docker';

/**
 * Test environment of both published clients: the real server, its teepod on a real Docker engine, a user and a
 * token.
 */
export interface World {
  server: TestServer;
  /** Base URL as clients expect it. */
  prefix: string;
  person: TestClient;
  slug: string;
  /** The user's API token, from a command-line login. */
  token: string;
  /** Waits until a CVM is in a state with no operation in progress. */
  settled(cvm: string, status?: string): Promise<void>;
  gone(cvm: string): Promise<void>;
  /** Returns what the guest reads from an encrypted environment. */
  open(app_id: string, blob: string): Promise<{ key: string; value: string }[]>;
  stop(): Promise<void>;
}

const WAIT_SECONDS = 120;

export async function startWorld(env: Record<string, string> = {}): Promise<World> {
  const docker = await ensureDocker();
  if ('reason' in docker) throw new Error(docker.reason);
  await ensureTestImages(docker.socket);
  const server = await startTestServer({ teepod: 'docker', env });
  const { person, token } = await signUp(server).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  const slug = person.slug ?? '';
  const teepod = join(server.dataDir, 'teepod');
  const look = (cvm: string) => person.call('getCvm', { path: { cvm_id: cvm } });

  return {
    server,
    prefix: `${server.url}/api/v1`,
    person,
    slug,
    token,
    async settled(cvm, status = 'running') {
      let last: unknown;
      await eventually(
        `${cvm} is ${status}`,
        async () => {
          const { body } = await look(cvm);
          last = body;
          const at = body as { status?: string; progress?: unknown; boot_error?: string };
          if (at.status === 'error' && status !== 'error')
            throw new Error(`${cvm} failed: ${JSON.stringify(body)}`);
          return at.status === status && !at.progress;
        },
        WAIT_SECONDS,
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}; last seen: ${JSON.stringify(last)}`);
      });
    },
    async gone(cvm) {
      await eventually(`${cvm} is gone`, async () => (await look(cvm)).status === 404, WAIT_SECONDS);
    },
    async open(app_id, blob) {
      const kms = await Kms.open(join(teepod, 'kms'));
      return openEnv(blob, Buffer.from(kms.envSecret(app_id)).toString('hex'));
    },
    async stop() {
      const id = await readFile(join(teepod, 'id'), 'utf8').catch(() => '');
      try {
        await removeAll(person);
      } finally {
        await server.stop();
        if (id) await removeTeepodContainers(docker.socket, id.trim());
      }
    },
  };
}

/** Creates an account and a token through the device flow over the wire: request, approval, retrieval. */
export async function signUp(server: TestServer): Promise<{ person: TestClient; token: string }> {
  const person = await server.register('alice@example.test');
  const asked = await server.anonymous.call('createDeviceCode', {
    body: { client_id: 'phala-cli', scope: 'user:profile cvms:* nodes:*' },
  });
  const { user_code, device_code } = asked.body as { user_code: string; device_code: string };
  await decide(person, user_code, 'approve');
  const { status, body } = await server.anonymous.call('createDeviceToken', {
    body: { device_code, grant_type: 'urn:ietf:params:oauth:grant-type:device_code' },
  });
  if (status !== 200) throw new Error(`no token: ${JSON.stringify(body)}`);
  return { person, token: (body as { access_token: string }).access_token };
}

export async function decide(person: TestClient, user_code: string, decision: 'approve' | 'deny') {
  const { status, body } = await person.call('decideDeviceAuthorization', {
    body: { user_code, decision, workspace_slug: person.slug },
  });
  if (status !== 200) throw new Error(`${decision} returned ${status}: ${JSON.stringify(body)}`);
}

/**
 * Sends a request to the gateway as a browser would: the host name in the Host header, the connection to this
 * machine.
 */
export function visit(url: string): Promise<{ status: number; text: string }> {
  const { host, port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path: pathname, headers: { host } }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (more: string) => (text += more));
      reply.once('end', () => resolve({ status: reply.statusCode ?? 0, text }));
    });
    asked.once('error', reject);
    asked.end();
  });
}

/** Deletes everything in the team, as a user would. */
async function removeAll(person: TestClient): Promise<void> {
  const ids = async () => {
    const { body } = await person.call('listCvmsPaginated', { query: { page_size: 100 } });
    return (body as { items: { id: string }[] }).items.map((one) => one.id);
  };
  await eventually(
    'every CVM is removed',
    async () => {
      const left = await ids();
      // Retries a busy CVM.
      await Promise.all(left.map((cvm_id) => person.call('deleteCvm', { path: { cvm_id } })));
      return left.length === 0;
    },
    60,
  );
}
