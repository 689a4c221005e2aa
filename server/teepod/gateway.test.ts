import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAppCompose } from '../../console/lib/compose/composeHash';
import { gatewayServer } from './gateway';
import type { Surroundings } from './rpc';

/** Container responses are untrusted: none may end the process that all CVMs of this machine depend on. */
let upstream: Server;
let answer = '';
let gateway: ReturnType<typeof gatewayServer>;
let received: Buffer = Buffer.alloc(0);
let slow = 0;
/** The container keeps the connection open after the answer. */
let open = false;

const app = 'a'.repeat(40);
const port = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  upstream = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      received = data;
      if (open) socket.write(answer);
      else socket.end(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { bytes } = buildAppCompose({
    name: 'app',
    docker_compose_file: 'services: {}',
    gateway_enabled: true,
  });
  const vm = {
    id: 'vm',
    alive: true,
    record: { app_id: app },
    boot: {
      compose_file: bytes,
      ports: [{ service: 'web', vm_port: 80, container_port: 80, protocol: 'tcp' }],
    },
  };
  const endpoint = async () => {
    await new Promise((resolve) => setTimeout(resolve, slow));
    return { host: '127.0.0.1', port: port(upstream) };
  };
  const manager = { list: () => [vm], byInstance: () => undefined, engine: { kind: 'docker', endpoint } };
  gateway = gatewayServer({ manager, url: '', gateway: { host: '', port: 0 } } as unknown as Surroundings);
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
});
afterAll(() => {
  gateway.close();
  upstream.close();
});

function visit(): Promise<{ status: number; whole: boolean }> {
  return new Promise((resolve, reject) => {
    const req = request(
      { host: '127.0.0.1', port: port(gateway), headers: { host: `${app}.cvm.localhost` }, agent: false },
      (res) => {
        res.on('error', () => undefined);
        res.resume();
        res.on('close', () => resolve({ status: res.statusCode ?? 0, whole: res.complete }));
      },
    );
    req.setTimeout(5_000, () => req.destroy(new Error('no answer')));
    req.on('error', reject);
    req.end();
  });
}

test.each([
  ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', 200],
  ['HTTP/1.1 099 X\r\nContent-Length: 2\r\n\r\nhi', 502],
  ['HTTP/1.1 200 OK\u0001\u007f\r\nContent-Length: 2\r\n\r\nhi', 200],
  ['HTTP/1.1 200 OK\r\nA: b\u0001c\r\nContent-Length: 2\r\n\r\nhi', 502],
  ['HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', 502],
  ['not http at all', 502],
  ['', 502],
])('returns %i for the response %j', async (text, status) => {
  answer = text;
  expect((await visit()).status).toBe(status);
});

test('explains in a sentence that nothing serves the address', async () => {
  const host = `${'ef'.repeat(20)}.cvm.localhost`;
  const req = request({ host: '127.0.0.1', port: port(gateway), headers: { host }, agent: false }).end();
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  const html = Buffer.concat(await res.toArray()).toString();
  expect(html).toContain('<p>No CVM on this host has this app ID or instance ID.</p>');
});

test('passes on the bytes of a header unchanged when a connection is upgraded', async () => {
  answer = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
  const socket = connect(port(gateway), '127.0.0.1');
  socket.write(
    `GET / HTTP/1.1\r\nHost: ${app}.cvm.localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\nCookie: name=漢字\r\n\r\n`,
  );
  await once(socket, 'data');
  socket.destroy();
  expect(received.toString()).toContain('name=漢字\r\n');
});

test('passes on the headers of a stream before its first byte', async () => {
  answer = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n';
  open = true;
  const headers = { host: `${app}.cvm.localhost` };
  const req = request({ host: '127.0.0.1', port: port(gateway), headers, agent: false }).end();
  req.on('error', () => undefined);
  const got = await Promise.race([
    once(req, 'response').then(([res]) => (res as IncomingMessage).statusCode),
    new Promise((resolve) => setTimeout(() => resolve('nothing'), 5_000)),
  ]);
  open = false;
  req.destroy();
  expect(got).toBe(200);
});

test('does not limit how long an upload takes', () => {
  expect(gateway.requestTimeout).toBe(0);
});

test('propagates a truncated response as truncated, without hanging', async () => {
  answer = 'HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\nhi';
  expect(await visit()).toEqual({ status: 200, whole: false });
});

test('survives a client that disconnects during an upgrade', async () => {
  slow = 100;
  const socket = connect(port(gateway), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `GET / HTTP/1.1\r\nHost: ${app}.cvm.localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  await new Promise((resolve) => setTimeout(resolve, 30));
  socket.resetAndDestroy();
  await new Promise((resolve) => setTimeout(resolve, 200));
  slow = 0;
  answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';
  expect((await visit()).status).toBe(200);
});
