import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whole } from './modelServer';

/** Compose file that publishes the engine's port. */
export const ENGINE_COMPOSE = 'services:\n  model:\n    image: engine:1\n    ports: ["8080:8080"]\n';

/** The gateway of a host with a model server behind it, in any CVM. Like llama.cpp, it lists models without a key. */
export async function startCvmEngine() {
  const engine = {
    key: 'right',
    model: 'qwen3',
    requests: [] as string[],
    base_domain: '',
    url: (app_id: string) => `http://${app_id}-8080.${engine.base_domain}/v1`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((req, res) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of req) parts.push(part as Buffer);
      const body = Buffer.concat(parts).toString();
      engine.requests.push(`${req.method} ${req.headers.host}${req.url}`);
      if (req.url === '/v1/models') return res.end('{"object":"list","data":[]}');
      if (req.headers.authorization !== `Bearer ${engine.key}`) return res.writeHead(401).end();
      const { model } = JSON.parse(body) as { model: string };
      if (model !== engine.model) return res.writeHead(404).end();
      return whole(res, { path: req.url ?? '', headers: req.headers, body, isCut: false });
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  engine.base_domain = `cvm.localhost:${(server.address() as AddressInfo).port}`;
  return engine;
}
