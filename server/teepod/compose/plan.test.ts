import { describe, expect, test } from 'vitest';
import { planCompose, type CvmLimits } from './plan';

const LIMITS: CvmLimits = { cpus: 2, memory_bytes: 512 * 2 ** 20, pids: 1024 };
const plan = (text: string, env: Record<string, string> = {}) =>
  planCompose(text, new Map(Object.entries(env)), LIMITS);
const service = (lines: string) => `services:\n  web:\n    image: nginx\n${lines.replace(/^/gm, '    ')}\n`;

describe('refuses what would reach outside the CVM, naming the place', () => {
  test.each([
    ['privileged: true', 'services.web.privileged'],
    ['network_mode: host', 'services.web.network_mode'],
    ['network_mode: container:other', 'services.web.network_mode'],
    ['network_mode: bridge', 'services.web.network_mode'],
    ['network_mode: service:nobody', 'services.web.network_mode'],
    ['pid: host', 'services.web.pid'],
    ['ipc: host', 'services.web.ipc'],
    ['uts: host', 'services.web.uts'],
    ['userns_mode: host', 'services.web.userns_mode'],
    ['cgroup: host', 'services.web.cgroup'],
    ['cgroup_parent: /', 'services.web.cgroup_parent'],
    ['cap_add: [SYS_ADMIN]', 'services.web.cap_add'],
    ['devices: ["/dev/sda:/dev/sda"]', 'services.web.devices'],
    ['security_opt: ["seccomp:unconfined"]', 'services.web.security_opt'],
    ['sysctls: {net.ipv4.ip_forward: 1}', 'services.web.sysctls'],
    ['runtime: other', 'services.web.runtime'],
    ['build: .', 'services.web.build'],
    ['env_file: .env', 'services.web.env_file'],
    ['extends: {file: other.yml, service: x}', 'services.web.extends'],
    ['volumes_from: ["container:other"]', 'services.web.volumes_from'],
    ['external_links: [other]', 'services.web.external_links'],
    ['credential_spec: {file: x}', 'services.web.credential_spec'],
    ['gpus: all', 'services.web.gpus'],
    ['logging: {driver: syslog}', 'services.web.logging.driver'],
    ['extra_hosts: ["host.docker.internal:host-gateway"]', 'services.web.extra_hosts'],
    ['oom_kill_disable: true', 'services.web.oom_kill_disable'],
    ['made_up_option: 1', 'services.web.made_up_option'],
    ['volumes: ["/etc:/etc"]', 'services.web.volumes[0]'],
    ['volumes: ["./x:/x"]', 'services.web.volumes[0]'],
    ['volumes: ["~/x:/x"]', 'services.web.volumes[0]'],
    ['volumes: ["../x:/x"]', 'services.web.volumes[0]'],
    ['volumes: ["/var/run/docker.sock:/var/run/docker.sock"]', 'services.web.volumes[0]'],
    ['volumes: [{type: bind, source: /, target: /host}]', 'services.web.volumes[0]'],
    ['volumes: [{type: npipe, source: x, target: /x}]', 'services.web.volumes[0].type'],
    ['volumes: ["undeclared:/x"]', 'services.web.volumes[0]'],
    ['volumes: ["${HOST_PATH}:/x"]', 'services.web.volumes[0]'],
    ['tmpfs: ["/x:mode=0777,dev"]', 'services.web.tmpfs'],
    ['deploy: {resources: {limits: {memory: 2g}}}', 'services.web.deploy.resources.limits.memory'],
    ['deploy: {resources: {reservations: {devices: [{driver: nvidia}]}}}', 'reservations.devices'],
    ['deploy: {replicas: 1000}', 'services.web.deploy.replicas'],
    ['mem_limit: 1g', 'services.web.mem_limit'],
    ['cpus: 4', 'services.web.cpus'],
    ['networks: [undeclared]', 'services.web.networks.undeclared'],
    ['networks: {default: {ipv4_address: 10.0.0.2}}', 'services.web.networks.default.ipv4_address'],
    ['ports: ["70000:80"]', 'services.web.ports[0]'],
    ['ports: ["1-65535:1-65535"]', 'services.web.ports[0]'],
    ['mem_limit: 5constructor', 'services.web.mem_limit'],
    ['constructor: 1', 'services.web.constructor: not supported'],
    ['tmpfs: ["/x:size=1m:x,dev,suid"]', 'services.web.tmpfs'],
    ['image: again', '"image" is twice'],
    ['<<: *nowhere', 'unknown anchor *nowhere'],
    ['scale: 16\nports: ["8000-8063:8000-8063"]', 'publishes 1024 ports'],
  ])('%s', (lines, place) => {
    expect(() => plan(service(lines), { HOST_PATH: '/etc' })).toThrow(place);
  });

  test.each([
    ['networks: {x: {external: true}}', 'networks.x.external'],
    ['networks: {x: {driver: macvlan}}', 'networks.x.driver'],
    ['networks: {x: {driver_opts: {parent: eth0}}}', 'networks.x.driver_opts'],
    ['networks: {x: {ipam: {config: [{subnet: 10.0.0.0/8}]}}}', 'networks.x.ipam'],
    ['volumes: {x: {external: true}}', 'volumes.x.external'],
    ['volumes: {x: {driver: nfs}}', 'volumes.x.driver'],
    ['volumes: {x: {driver_opts: {type: none, o: bind, device: /}}}', 'volumes.x.driver_opts'],
    ['include: [other.yml]', 'include'],
    ['secrets: {x: {file: /etc/shadow}}', 'secrets'],
    ['configs: {x: {file: /etc/shadow}}', 'configs'],
    ['something: {}', 'something'],
  ])('top level %s', (line, place) => {
    expect(() => plan(`${service('')}${line}\n`)).toThrow(place);
  });
});

describe('runs what is ordinary', () => {
  test('a typical file, with everything published kept apart from the host', () => {
    const { services, ports, volumes, notes } = plan(`
version: "3.8"
x-common: &common
  restart: always
  logging: {driver: json-file, options: {max-size: 10g}}
services:
  web:
    <<: *common
    image: nginx:alpine
    container_name: front
    ports: ["8080:80", "127.0.0.1:8443:443/tcp", {target: 53, published: "5353", protocol: udp}]
    depends_on: {db: {condition: service_healthy}}
    labels: {traefik.enable: "true"}
    deploy: {resources: {limits: {cpus: "0.5", memory: 64M}}}
  db:
    image: postgres@sha256:${'a'.repeat(64)}
    volumes: ["data:/var/lib/postgresql/data", {type: tmpfs, target: /tmp, tmpfs: {size: 64m}}]
    healthcheck: {test: ["CMD", "pg_isready"], interval: 5s, retries: 3}
    privileged: false
  debug:
    image: busybox
    profiles: [debug]
volumes: {data: {name: fixed-name}}
`);
    expect(services.map((one) => one.name)).toEqual(['web', 'db']);
    const web = services[0]?.definition;
    expect(web).toMatchObject({
      restart: 'unless-stopped',
      cpus: 0.5,
      mem_limit: 64 * 2 ** 20,
      networks: { default: { aliases: ['front'] } },
    });
    expect(web?.['ports']).toEqual(['127.0.0.1::80/tcp', '127.0.0.1::443/tcp', '127.0.0.1::53/udp']);
    expect(web).not.toHaveProperty('labels');
    expect(web).not.toHaveProperty('container_name');
    expect(web?.['logging']).toEqual({ driver: 'json-file', options: { 'max-size': '4m', 'max-file': '2' } });
    expect(services[1]?.definition).toMatchObject({
      mem_limit: LIMITS.memory_bytes,
      cpus: 2,
      pids_limit: 1024,
    });
    expect(ports.map((port) => [port.vm_port, port.container_port, port.protocol])).toEqual([
      [8080, 80, 'tcp'],
      [8443, 443, 'tcp'],
      [5353, 53, 'udp'],
    ]);
    expect(volumes).toEqual(['data']);
    expect(notes.join('\n')).toContain('services.web.labels');
  });

  test('one port of the CVM belongs to one service', () => {
    expect(() =>
      plan('services: {a: {image: x, ports: ["80:80"]}, b: {image: x, ports: ["80:8080"]}}'),
    ).toThrow(/80\/tcp is already published by service a/);
  });

  test('numbers and booleans in an environment keep their letters', () => {
    const { services } = plan(service('environment: {A: 1.0, B: 010, C: yes, D: true, E: 1e3, F: , G: ""}'));
    expect(services[0]?.definition['environment']).toEqual({
      A: '1.0',
      B: '010',
      C: 'yes',
      D: 'true',
      E: '1e3',
      G: '',
    });
  });
});

describe('variables', () => {
  const environment = (text: string, env: Record<string, string> = {}) =>
    plan(service(`environment:\n  V: ${JSON.stringify(text)}`), env).services[0]?.definition['environment'];
  test.each([
    ['${A}', { A: 'x$y' }, 'x$y'],
    ['$A-$A', { A: '1' }, '1-1'],
    ['$$A', { A: '1' }, '$A'],
    ['${A:-d}', { A: '' }, 'd'],
    ['${A-d}', { A: '' }, ''],
    ['${B:-${A}!}', { A: 'n' }, 'n!'],
    ['${A:+set}', { A: '1' }, 'set'],
    ['${A+set}', {}, ''],
    ['${MISSING}', {}, ''],
    ['${A}', { A: '${B} $$ `x`', B: 'no' }, '${B} $$ `x`'],
  ])('%s', (text, env, expected) => {
    expect(environment(text, env)).toEqual({ V: expected });
  });

  test('a required one that is missing stops the boot with its name; a stray dollar sign is explained', () => {
    expect(() => environment('${A:?set it}')).toThrow(/A has no value: set it/);
    expect(() => environment('cost: 5$')).toThrow(/\$\$/);
    expect(
      plan(service('environment: ["A", "B"]'), { A: '1' }).services[0]?.definition['environment'],
    ).toEqual({ A: '1' });
  });
});

describe('hostile files end quickly', () => {
  test('aliases that multiply', () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`).join(', ')}]`,
    );
    const started = Date.now();
    expect(() =>
      plan(`l0: &l0 [a, b]\n${levels.join('\n')}\nservices: {a: {image: x, command: *l12}}`),
    ).toThrow(/expands|nested|alias/i);
    expect(Date.now() - started).toBeLessThan(5_000);
  });
  test('an anchor that contains itself', () => {
    expect(() => plan('services: &a {web: *a}')).toThrow();
  });
  test('names from the object prototype are only names', () => {
    expect(() => plan(service('__proto__: {privileged: true}'))).toThrow('services.web.__proto__');
    expect(() => plan(service('constructor: x'))).toThrow('services.web.constructor');
  });
  test.each([
    ['', 'mapping'],
    ['services: {}', 'no services'],
    ['a: [', 'line 1'],
    ['services: {web: {image: x, image: y}}', 'YAML'],
    ['services: {"a b": {image: x}}', 'a b'],
  ])('%s', (text, reason) => {
    expect(() => plan(text)).toThrow(reason);
  });
});

describe('a file made to be slow', () => {
  const web = 'services:\n  web:\n    image: nginx\n';
  const timed = (text: string) => {
    const began = performance.now();
    try {
      plan(text);
    } catch {
      // Refused is as good as planned, as long as it is soon.
    }
    return performance.now() - began;
  };

  test.each([
    ['aliases', `x-a: &a 1\nx-b: [${'*a,'.repeat(48_000)}]\n${web}`],
    ['anchors', `x-b: [${Array.from({ length: 20_000 }, (_, i) => `&a${i} 1`).join(',')}]\n${web}`],
    ['keys', `x-b:\n${Array.from({ length: 40_000 }, (_, i) => `  k${i}: 1`).join('\n')}\n${web}`],
    [
      'laughs',
      `x-0: &a0 [1]\n${Array.from({ length: 30 }, (_, i) => `x-${i + 1}: &a${i + 1} [*a${i},*a${i},*a${i}]`).join('\n')}\n${web}`,
    ],
    ['depth', '['.repeat(100_000)],
  ])('%s', (_what, text) => {
    expect(timed(text)).toBeLessThan(4_000);
  });
});

test('copies of services count as containers', () => {
  const services = Array.from({ length: 5 }, (_, i) => `  s${i}: {image: nginx, scale: 16}`).join('\n');
  expect(() => plan(`services:\n${services}`)).toThrow('asks for 80 containers');
});

test('an alias means the last anchor of its name above it', () => {
  const text = `x-a: &a {A: one}\nservices:\n  one: {image: nginx, environment: *a}\nx-b: &a {A: two}\n`;
  expect(plan(text).services[0]?.definition['environment']).toEqual({ A: 'one' });
});
