import { describe, expect, test } from 'vitest';
import { planCompose, type CvmLimits } from './plan';
import { writeYaml } from './yaml';

const LIMITS: CvmLimits = { cpus: 2, memory_bytes: 512 * 2 ** 20, pids: 1024 };
const plan = (text: string, env: Record<string, string> = {}) =>
  planCompose(text, new Map(Object.entries(env)), LIMITS);
const service = (lines: string) => `services:\n  web:\n    image: nginx\n${lines.replace(/^/gm, '    ')}\n`;

describe('rejects options that could reach outside the CVM, with their path', () => {
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
    ['configs: [nowhere]', 'services.web.configs[0]'],
    ['configs: [{source: nowhere, target: /x}]', 'services.web.configs[0]'],
    ['image: again', 'duplicate key "image"'],
    ['<<: *nowhere', 'unknown anchor *nowhere'],
    ['scale: 16\nports: ["8000-8063:8000-8063"]', 'publishes 1024 ports'],
    ['ports: ["8000-8063:8000-8063", "90:90"]', 'services.web.ports: publishes more than 64 ports'],
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
    ['configs: {x: {file: /etc/shadow}}', 'configs.x.file'],
    ['configs: {x: {external: true}}', 'configs.x.external'],
    ['configs: {x: {environment: HOST_PATH}}', 'configs.x.environment'],
    ['configs: {x: {content: "a $HOST_PATH"}}', 'configs.x.content'],
    ['configs: {x: {content: "$$${HOST_PATH}"}}', 'configs.x.content'],
    ['configs: {x: {}}', 'configs.x.content'],
    [`configs: {${Array.from({ length: 33 }, (_, i) => `c${i}: {content: x}`).join(', ')}}`, 'more than 32'],
    ['something: {}', 'something'],
  ])('at the top level: %s', (line, place) => {
    expect(() => plan(`${service('')}${line}\n`)).toThrow(place);
  });
});

describe('accepts ordinary files', () => {
  test('plans a typical file and publishes its ports on loopback only', () => {
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

  test('keeps configs as text, with the services’ paths for them', () => {
    const file = `${service('configs: [page, {source: page, target: etc/motd, mode: "0400"}]')}configs: {page: {content: "5 $$ each\\n"}}\n`;
    const { services, configs } = plan(file);
    expect(configs).toEqual({ page: '5 $ each\n' });
    expect(services[0]?.configs.map(({ target }) => target)).toEqual(['/page', '/etc/motd']);
  });

  test.each([
    ['{condition: any}', '', 'unless-stopped'],
    ['{}', '', 'unless-stopped'],
    ['{condition: on-failure, max_attempts: 3, delay: 5s}', '', 'on-failure:3'],
    ['{condition: none}', '', 'no'],
    ['{condition: any}', 'restart: on-failure', 'on-failure'],
  ])('restarts by deploy.restart_policy %s unless there is a restart %j', (policy, restart, expected) => {
    const { services } = plan(service(`deploy: {restart_policy: ${policy}}\n${restart}`));
    expect(services[0]?.definition['restart']).toBe(expected);
  });

  test('says that start_interval has no effect', () => {
    const { notes } = plan(service('healthcheck: {test: "true", interval: 1m, start_interval: 1s}'));
    expect(notes.join()).toContain('services.web.healthcheck.start_interval: ignored');
  });

  test('ignores an optional dependency on a service without an active profile', () => {
    const debug = '  debug: {image: busybox, profiles: [debug]}\n';
    const depends = (options: string) =>
      plan(service(`depends_on: {debug: {condition: service_started${options}}}`) + debug);
    const { services, notes } = depends(', required: false');
    expect(services[0]?.definition['depends_on']).toEqual({});
    expect(notes.join()).toContain('services.web.depends_on.debug');
    expect(() => depends('')).toThrow('"debug" is not a service');
  });

  test('rejects a port published by two services', () => {
    expect(() =>
      plan('services: {a: {image: x, ports: ["80:80"]}, b: {image: x, ports: ["80:8080"]}}'),
    ).toThrow(/80\/tcp is already published by service a/);
  });

  test('keeps numbers and booleans in an environment as written', () => {
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

  test('names a missing required variable and explains a stray dollar sign', () => {
    expect(() => environment('${A:?set it}')).toThrow(/A has no value: set it/);
    expect(() => environment('cost: 5$')).toThrow(/\$\$/);
    expect(
      plan(service('environment: ["A", "B"]'), { A: '1' }).services[0]?.definition['environment'],
    ).toEqual({ A: '1' });
  });
});

describe('rejects hostile files quickly', () => {
  test('aliases that expand exponentially', () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`).join(', ')}]`,
    );
    // Expanded, it would have 10^12 items.
    expect(() =>
      plan(`l0: &l0 [a, b]\n${levels.join('\n')}\nservices: {a: {image: x, command: *l12}}`),
    ).toThrow(/expands|nested|alias/i);
  });
  test('an anchor that contains itself', () => {
    expect(() => plan('services: &a {web: *a}')).toThrow();
  });
  test('keys named like object prototype properties', () => {
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

describe('plans or rejects a deliberately slow file in time', () => {
  const web = 'services:\n  web:\n    image: nginx\n';
  const timed = (text: string) => {
    const before = process.cpuUsage();
    try {
      plan(text);
    } catch {
      // Rejecting is fine too, as long as it is fast.
    }
    // Processor time: on an overloaded machine, wall-clock time says little.
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
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
    expect(timed(text)).toBeLessThan(20_000);
  });
});

test('counts each replica as a container', () => {
  const services = Array.from({ length: 5 }, (_, i) => `  s${i}: {image: nginx, scale: 16}`).join('\n');
  expect(() => plan(`services:\n${services}`)).toThrow('defines 80 containers');
});

test('resolves an alias to the nearest earlier anchor of that name', () => {
  const text = `x-a: &a {A: one}\nservices:\n  one: {image: nginx, environment: *a}\nx-b: &a {A: two}\n`;
  expect(plan(text).services[0]?.definition['environment']).toEqual({ A: 'one' });
});

describe('interpolation budget', () => {
  const long = 'v'.repeat(100 * 1024);
  const TOO_LONG = 'The environment expands to more than 4 MB';

  test.each([
    [
      'a secret used 90,000 times',
      Array.from({ length: 60 }, (_, i) => `A${i}: "${'$S'.repeat(1_500)}"`),
      {},
    ],
    ['bare names', Array.from({ length: 60 }, (_, i) => `V${i}:`), 'V'],
    ['nested defaults', Array.from({ length: 60 }, (_, i) => `A${i}: "\${X:-\${Y-$S}}"`), {}],
  ])('%s', (_what, lines, names) => {
    const env =
      names === 'V' ? Object.fromEntries(lines.map((line) => [line.slice(0, -1), long])) : { S: long };
    expect(() => plan(service(`environment:\n${lines.map((line) => `  ${line}`).join('\n')}`), env)).toThrow(
      TOO_LONG,
    );
  });

  test('counts every alias of a long text, even if its variables are empty', () => {
    const text = (value: string) => `x-a: &a "${value}"\n${service(`command: [${'*a,'.repeat(1_000)}]`)}`;
    expect(() => plan(text('x'.repeat(10_000)))).toThrow(TOO_LONG);
    expect(() => plan(text('$E'.repeat(5_000)), { E: '' })).toThrow(TOO_LONG);
  });

  test('accepts a large environment within the container limit', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `  A${i}: "$S"`);
    const { services } = plan(service(`environment:\n${lines.join('\n')}`), { S: long });
    expect(services[0]?.definition['environment']).toMatchObject({ A29: long });
  });

  test('reports at most 100 variables without a value', () => {
    const names = Array.from({ length: 5_000 }, (_, i) => `$N${i}`).join('');
    expect(plan(service(`command: "${names}"`)).notes).toHaveLength(100);
  });

  test('never quotes part of a rejected value', () => {
    const secret = `${'s'.repeat(100)} `;
    expect(() => plan('services: {web: {image: "$S"}}', { S: secret })).toThrow(
      'services.web.image: a value of 101 characters is not a valid image name',
    );
  });
});

test.each([
  ['a volume', 'volumes: ["$S:/data"]', 'user pass:s3cret:/x'],
  ['a volume path', 'volumes: ["$S"]', 'data:hidden/s3cret'],
  ['a mount option', 'volumes: ["$S"]', 'data:/x:s3cret'],
  ['a tmpfs option', 'tmpfs: ["$S"]', '/run:s3cret'],
  ['a tmpfs path', 'tmpfs: ["$S"]', 's3cret:size=1m'],
  ['a variable name', 'environment: ["$S"]', 's3cret key=abc'],
  ['a range of ports', 'ports: ["$S"]', '1-60000:80'],
])('an error quotes a secret completely or not at all, so it can be redacted: %s', (_what, line, secret) => {
  let message = '';
  try {
    plan(`${service(line)}volumes: {data: {}}\n`, { S: secret });
  } catch (error) {
    message = String(error);
  }
  expect(message).toContain('services.web');
  expect(message.replaceAll(secret, '***')).not.toMatch(/s3cret|hidden|user pass|60000/);
});

test('round-trips any characters through YAML', () => {
  const text = 'a"b\\c$d\u0000\u0001\n\t\u007f\u0085é漢\u2028\ufeff🔐\ud800';
  expect(writeYaml({ $k: text })).toBe(
    String.raw`{"$k": "a\"b\\c$$d\u0000\u0001\u000a\u0009\u007f\u0085\u00e9\u6f22\u2028\ufeff\U0001f510\ud800"}`,
  );
});
