import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * A process simulating thousands of hosts: host `n` is at `/hosts/n` and lists its running VMs from the
 * benchmark's database, like dstack-vmm 0.6.0. Its texts are built once, so that it costs as little as possible.
 */

export interface Simulated {
  port: number;
  hosts: number;
  /** VMs per host. */
  cvms: number;
}

/** Same as md5(text)::uuid in the database. */
const uuid = (text: string): string =>
  createHash('md5')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

function listed(host: number, n: number) {
  const own = `${host}/${n}`;
  return {
    id: uuid(`vm${own}`),
    name: `fleet-${own.replace('/', '-')}.${uuid(`cvm${own}`).replaceAll('-', '')}`,
    status: 'running',
    uptime: '3days 2h 1m 5s',
    app_url: null,
    app_id: 'a'.repeat(40),
    instance_id: createHash('sha256').update(`instance${own}`).digest('hex').slice(0, 40),
    configuration: null,
    exited_at: null,
    boot_progress: 'done',
    boot_error: '',
    shutdown_progress: '',
    image_version: '0.6.0',
    events: [],
    interfaces: [],
  };
}

const OTHERS: Readonly<Record<string, object>> = {
  Version: { version: '0.6.0', rev: 'simulated' },
  ListImages: { images: [{ name: 'dstack-0.6.0', description: '', version: '0.6.0', is_dev: false }] },
  ListGpus: { gpus: [], allow_attach_all: false },
};

process.once('message', ({ port, hosts, cvms }: Simulated) => {
  const states = new Map<number, Buffer>();
  let asked = 0;
  const stateOf = (host: number): Buffer => {
    let state = states.get(host);
    if (state === undefined) {
      const vms = Array.from({ length: cvms }, (_, n) => listed(host, n + 1));
      state = Buffer.from(JSON.stringify({ vms, port_mapping_enabled: true, total: cvms }));
      states.set(host, state);
    }
    return state;
  };
  createServer((request, response) => {
    request.resume();
    const json = (status: number, body: string | Buffer) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    if (request.url === '/asked') return json(200, String(asked));
    const [, host = '', method = ''] =
      /^\/hosts\/(\d+)\/prpc\/(?:Teepod\.)?(\w+)/.exec(request.url ?? '') ?? [];
    if (Number(host) < 1 || Number(host) > hosts) return json(404, '{}');
    if (method === 'Status') {
      asked += 1;
      return json(200, stateOf(Number(host)));
    }
    const other = OTHERS[method];
    return other ? json(200, JSON.stringify(other)) : json(400, '{"error":"Service not found"}');
  }).listen(port, '127.0.0.1');
});
