import { describe, expect, it } from 'vitest';
import { type ComposeContext, type Finding, type FindingCode, analyzeCompose } from './composeFile';

const DIGEST = `sha256:${'ab'.repeat(32)}`;
const GOOD = `services:
  web:
    image: nginx@${DIGEST}
    restart: always
    ports: ["8080:80"]
    environment:
      PASSWORD: \${PASSWORD}
`;

/** One service named web with the given further lines. */
const web = (...lines: string[]) =>
  ['services:', '  web:', `    image: nginx@${DIGEST}`, '    restart: always']
    .concat(lines.map((line) => `    ${line}`))
    .join('\n');

function find(text: string, code: FindingCode, context?: ComposeContext): Finding | undefined {
  return analyzeCompose(text, context).findings.find((finding) => finding.code === code);
}
const codes = (text: string, context?: ComposeContext) =>
  analyzeCompose(text, context)
    .findings.map((finding) => finding.code)
    .filter((code) => code !== 'ports_none');

describe('a valid file', () => {
  it('has no findings and a summary of its contents', () => {
    expect(analyzeCompose(GOOD, { secretNames: ['PASSWORD'] })).toEqual({
      ok: true,
      findings: [],
      services: [
        {
          name: 'web',
          line: 2,
          image: `nginx@${DIGEST}`,
          ports: [
            {
              target: { first: 80, last: 80 },
              published: { first: 8080, last: 8080 },
              protocol: 'tcp',
              host_ip: null,
            },
          ],
          envRefs: ['PASSWORD'],
          hasEgress: true,
        },
      ],
      variables: [{ name: 'PASSWORD', line: 7, column: 17, required: false }],
      unusedSecrets: [],
    });
  });
  it('is parsed the same with Windows line endings', () => {
    const analysis = analyzeCompose(GOOD.replaceAll('\n', '\r\n'), { secretNames: ['PASSWORD'] });
    expect(analysis.findings).toEqual([]);
    expect(analysis.variables[0]).toMatchObject({ line: 7, column: 17 });
  });
});

describe('reports what docker compose would reject, with its location', () => {
  it.each<[string, string, FindingCode, number, number]>([
    ['a tab', 'services:\n\tweb:\n', 'yaml_syntax', 2, 1],
    ['a second colon', 'services:\n  web: image: x\n', 'yaml_syntax', 2, 8],
    ['an unclosed quote', 'services:\n  web:\n    image: "x\n', 'yaml_syntax', 4, 1],
    ['two documents', `${GOOD}---\na: 1\n`, 'yaml_syntax', 8, 1],
    ['nothing', '', 'file_empty', 1, 1],
    ['only a comment', '# hi\n', 'file_empty', 1, 1],
    ['a list', '\n- a\n', 'wrong_type', 2, 1],
    ['no services', 'name: x\n', 'services_missing', 1, 1],
    ['empty services', 'name: x\nservices:\n', 'services_missing', 2, 1],
    ['services as a list', 'services:\n  - web\n', 'wrong_type', 2, 3],
    ['a service without body', 'services:\n  web:\n', 'image_missing', 2, 3],
    ['a service as text', 'services:\n  web: nginx\n', 'wrong_type', 2, 8],
    ['no image', 'services:\n  web:\n    restart: always\n', 'image_missing', 2, 3],
    ['only build', 'services:\n  web:\n    build: .\n', 'image_missing', 2, 3],
    ['an image as a list', 'services:\n  web:\n    image: [a]\n', 'wrong_type', 3, 12],
    ['an image with capitals', 'services:\n  web:\n    image: Nginx Latest\n', 'image_invalid', 3, 12],
    ['ports as a mapping', web('ports: {80: 80}'), 'wrong_type', 5, 12],
    ['environment as text', web('environment: A=1'), 'wrong_type', 5, 18],
    ['port 0', web('ports:', '  - "0:80"'), 'port_invalid', 6, 9],
    ['port 70000', web("ports: ['70000:80']"), 'port_invalid', 5, 13],
    ['ranges of different lengths', web("ports: ['80-82:80-81']"), 'port_invalid', 5, 13],
    ['the same port twice', web("ports: ['80:1', '80:2']"), 'port_conflict', 5, 21],
    ['a repeated key', web('image: b'), 'duplicate_key', 5, 5],
    ['an unknown alias', web('command: *x'), 'alias_unknown', 5, 14],
    ['an unknown volume', web("volumes: ['data:/data']"), 'reference_unknown', 5, 15],
    ['an unknown dependency', web('depends_on: [db]'), 'reference_unknown', 5, 18],
    ['an unknown network', web('networks: {inner: {}}'), 'reference_unknown', 5, 16],
    ['a lone dollar', web('command: echo $ 5'), 'variable_syntax', 5, 19],
    ['an unclosed variable', web('command: echo ${A'), 'variable_syntax', 5, 19],
    ['a bad variable', web('command: echo ${A!b}'), 'variable_syntax', 5, 19],
    ['a required variable', web('command: ${A:?tell me}'), 'variable_required', 5, 14],
    ['a lone surrogate', web('command: a\ud83db'), 'not_unicode', 5, 15],
    ['a service name with a space', 'services:\n  my web:\n    image: x\n', 'service_name', 2, 3],
  ])('%s', (_name, text, code, line, column) => {
    const finding = find(text, code);
    expect(finding).toMatchObject({ severity: 'error', line, column });
    expect(finding?.message).not.toBe('');
    expect(finding?.explain).not.toBe('');
    expect(analyzeCompose(text).ok).toBe(false);
  });

  it('includes service and path', () => {
    expect(find(web('ports:', '  - 1:2:3'), 'port_invalid')).toMatchObject({
      service: 'web',
      path: 'services.web.ports[0]',
    });
  });
});

it('describes YAML errors in sentences', () => {
  for (const [quote, name] of [
    ['"', 'double'],
    ["'", 'single'],
  ])
    expect(find(`services:\n  web:\n    image: ${quote}x\n`, 'yaml_syntax')?.message).toBe(
      `Missing closing ${name} quote.`,
    );
});

it('rejects what the only eligible hosts reject', () => {
  for (const [line, code] of [
    ['privileged: true', 'privileged'],
    ['network_mode: host', 'host_namespace'],
    ["volumes: ['/var/run/docker.sock:/s:ro']", 'docker_socket'],
    ["volumes: ['/etc:/etc']", 'host_mount'],
  ] as const) {
    expect(find(web(line), code)?.severity, code).toBe('warning');
    expect(find(web(line), code, { onlyLocal: true })?.severity, code).toBe('error');
    expect(analyzeCompose(web(line), { onlyLocal: true }).ok, code).toBe(false);
  }
});

describe('ports conflict as in docker compose', () => {
  it.each([
    ['80:80', '0.0.0.0:80:81', true],
    ['0.0.0.0:80:80', '80:81', true],
    ['80:80', '[::]:80:81', true],
    ['127.0.0.1:80:80', '80:81', true],
    ['80:80', '127.0.0.1:80:81', true],
    ['10.0.0.1:80:80', '10.0.0.1:80:81', true],
    ['0.0.0.0:80:80', '[::]:80:81', false],
    ['10.0.0.1:80:80', '10.0.0.2:80:81', false],
    ['80:80', '0.0.0.0:80:80/udp', false],
  ])('%s and %s: %s', (one, other, expected) => {
    expect(find(web(`ports: ['${one}', '${other}']`), 'port_conflict') !== undefined).toBe(expected);
  });
});

describe('a service that extends another', () => {
  const extending = (given: string, other = '') =>
    `services:
  base: { image: nginx@${DIGEST}, restart: always, ports: ['80:80'], profiles: [base] }
  web:
    extends: ${given}
${other}`;

  it.each(['base', '{ service: base }', 'middle'])('takes its image: %s', (given) => {
    const text = extending(given, '  middle: { extends: base }\n');
    const { ok, findings, services } = analyzeCompose(text);
    expect([ok, findings.filter(({ code }) => code !== 'extends')]).toEqual([true, []]);
    expect(services[1]).toMatchObject({ image: `nginx@${DIGEST}` });
    // The built-in host can't do it.
    expect(find(text, 'extends', { onlyLocal: true })?.severity).toBe('error');
  });

  it.each<[string, string, FindingCode, string]>([
    ['of another file', '{ file: other.yml, service: base }', 'extends_file', 'warning'],
    ['that doesn’t exist', 'nothing', 'reference_unknown', 'error'],
    ['that extends it', 'loop', 'extends_loop', 'error'],
    ['without an image', 'bare', 'image_missing', 'error'],
  ])('%s', (_name, given, code, severity) => {
    const bare = given === 'bare' ? '  bare: { build: . }\n' : '';
    const text = extending(given, `  loop: { image: nginx, extends: web }\n${bare}`);
    expect(
      analyzeCompose(text).findings.find((one) => one.service === 'web' && one.code === code),
    ).toMatchObject({ severity });
  });

  it('publishes its ports, too', () => {
    const text = extending(
      'middle',
      `    ports: ['81:81', '80:80']\n    expose: [9]
  middle: { extends: base, expose: [9] }
`,
    );
    const { findings, services } = analyzeCompose(text);
    expect(
      services.map(({ name, ports }) => [name, ...ports.map(({ published }) => published?.first)]),
    ).toEqual([
      ['base', 80],
      ['web', 81, 80],
      ['middle', 80],
    ]);
    expect(findings.map(({ code }) => code)).not.toContain('ports_unpublished');
  });

  it('conflicts with it if both run', () => {
    const conflicts = (other: string) =>
      analyzeCompose(extending('base', other).replace(', profiles: [base]', '')).findings.flatMap(
        ({ code, service, message }) => (code === 'port_conflict' ? [service, message] : []),
      );
    expect(conflicts('')).toEqual(['web', 'Port 80 is already published by base, whose ports web takes.']);
    expect(conflicts('    profiles: [other]\n')).toEqual([]);
    expect(conflicts("    ports: !override ['81:81']\n")).toEqual([]);
  });

  it('isn’t taken for one without outgoing connections', () => {
    const text = extending('base', '    networks: [inside]\nnetworks: { inside: { internal: true } }\n');
    expect(analyzeCompose(text).services[1]).toMatchObject({ name: 'web', hasEgress: true });
  });
});

describe('warns about likely mistakes', () => {
  it.each<[string, string, FindingCode]>([
    ['a tag', 'services:\n  web:\n    image: a/b:1.2\n', 'image_no_digest'],
    ['latest', 'services:\n  web:\n    image: reg.io:5000/a/b:latest\n', 'image_latest'],
    ['no tag', 'services:\n  web:\n    image: reg.io:5000/a/b\n', 'image_latest'],
    ['variable in image', 'services:\n  web:\n    image: a:${TAG:-1}\n', 'image_variable'],
    ['build and image', web('build: .'), 'build_ignored'],
    ['arm', web('platform: linux/arm64'), 'platform'],
    ['privileged', web('privileged: true'), 'privileged'],
    ['host network', web('network_mode: host'), 'host_namespace'],
    ['docker socket', web("volumes: ['/var/run/docker.sock:/s:ro']"), 'docker_socket'],
    ['dstack socket', web("volumes: ['/var/run/dstack.sock:/var/run/dstack.sock']"), 'dstack_socket'],
    ['host folder', web("volumes: ['/etc:/etc']"), 'host_mount'],
    ['host folder, long form', web('volumes:', '  - {type: bind, source: /etc, target: /e}'), 'host_mount'],
    ['relative folder', web("volumes: ['./data:/data']"), 'mount_relative'],
    ['container_name', web('container_name: x'), 'container_name'],
    ['no restart', `services:\n  web:\n    image: a@${DIGEST}\n`, 'restart_missing'],
    ['random port', web("ports: ['80']"), 'port_random'],
    ['loopback port', web("ports: ['127.0.0.1:80:80']"), 'port_loopback'],
    ['loopback port, IPv6', web("ports: ['[::1]:80:80']"), 'port_loopback'],
    ['expose only', web('expose: [80]'), 'ports_unpublished'],
    ['no ports', web(), 'ports_none'],
    ['env_file', web('env_file: .env'), 'env_file'],
    ['typo', web('enviroment: {}'), 'unknown_field'],
    ['version', `version: "3"\n${web()}`, 'version_obsolete'],
    ['unset variable', web('command: $A'), 'variable_unset'],
    ['unset list entry', web('environment: [A]'), 'variable_unset'],
    ['plaintext secret', web('environment: {DB_PASSWORD: hunter2}'), 'secret_in_clear'],
    ['plaintext secret in a list', web("environment: ['API_KEY=hunter2']"), 'secret_in_clear'],
  ])('%s', (_name, text, code) => {
    expect(codes(text).filter((found) => found === code).length + Number(code === 'ports_none')).toBe(1);
    expect(find(text, code)?.severity).not.toBe('error');
    expect(JSON.stringify(analyzeCompose(text).findings)).not.toContain('hunter2');
  });

  it('suggests the intended field', () => {
    expect(find(web('enviroment: {}'), 'unknown_field')?.message).toContain('environment');
    expect(find(web('prots: []'), 'unknown_field')?.message).toContain('ports');
  });

  it.each([
    ['dollars escaped', web('command: echo $$HOME $${X}')],
    ['a default', web('command: echo ${A:-x} ${B-} ${C:+y}')],
    ['x- fields', `x-note: "costs $ 5"\n${web('x-y: 1')}`],
    ['named volume', `${web("volumes: ['data:/data', '/cache']")}\nvolumes:\n  data:\n`],
    ['default network', web('networks: [default]')],
    ['published range', web("ports: ['8000-8002:80-82/udp']")],
    ['UDP and TCP', web("ports: ['53:53', '53:53/udp']")],
    ['swarm restart', web().replace('restart: always', 'deploy: {restart_policy: {}}')],
    ['amd64', web('platform: linux/amd64')],
    ['quoted booleans', web('privileged: "false"')],
    ['digest and tag', web().replace('nginx@', 'reg.io/a_b/nginx:1.2@')],
    ['secret value from a variable', web("environment: ['API_KEY=${K:-}', A=]")],
  ])('reports nothing for %s', (_name, text) => expect(codes(text)).toEqual([]));
});

describe('variables and secrets', () => {
  it('are listed once, with whether they are required and their default', () => {
    const { variables } = analyzeCompose(web('command: $A ${B:-d} ${A:?} ${C:-${D}}', 'environment: [E]'), {
      secretNames: ['A', 'D', 'E'],
    });
    expect(variables).toEqual([
      { name: 'A', line: 5, column: 14, required: true },
      { name: 'B', line: 5, column: 17, required: false, default: 'd' },
      { name: 'C', line: 5, column: 32, required: false, default: '${D}' },
      { name: 'D', line: 5, column: 37, required: false },
      { name: 'E', line: 6, column: 19, required: false },
    ]);
  });

  it('are found in block text, other sections and aliases', () => {
    const text = `x-env: &env
  A: \${A}
services:
  web:
    image: nginx@${DIGEST}
    restart: always
    environment:
      <<: *env
    command: |
      one
      two \${B}
configs:
  c:
    content: \${C}
`;
    const { variables, services } = analyzeCompose(text);
    expect(variables.map(({ name, line, column }) => [name, line, column])).toEqual([
      ['A', 2, 6],
      ['B', 11, 11],
      ['C', 14, 14],
    ]);
    expect(services[0]?.envRefs).toEqual(['A', 'B']);
  });

  it('include a warning for unused secrets', () => {
    const context = { secretNames: ['USED', 'IDLE', 'BOOT', 'DSTACK_AUTHORIZED_KEYS'] };
    const text = web('command: $USED');
    const unused = analyzeCompose(text, { ...context, preLaunchScript: 'echo "$BOOT"' });
    expect(unused.findings.filter((f) => f.code === 'secret_unused').map((f) => f.message)).toEqual([
      expect.stringContaining('IDLE'),
    ]);
  });
});

describe('merges', () => {
  it("apply an anchor's fields beneath a service's own", () => {
    const text = `x-base: &base\n  image: a@${DIGEST}\n  restart: always\nservices:\n  web:\n    <<: [*base]\n    ports: ["1:1"]\n`;
    const { services, findings } = analyzeCompose(text);
    expect(findings).toEqual([]);
    expect(services[0]).toMatchObject({
      image: `a@${DIGEST}`,
      ports: [{ published: { first: 1, last: 1 } }],
    });
  });
});

describe('limits', () => {
  const laugh = (line: (i: number) => string, last: string) =>
    `x-a0: &a0 {k: [x]}\n${Array.from({ length: 18 }, (_, i) => line(i)).join('\n')}\n${last}`;
  it.each<[string, string]>([
    ['too many bytes', `a: ${'é'.repeat(102_400)}`],
    ['brackets', '['.repeat(190_000)],
    ['deeply nested mappings', '{a: '.repeat(45_000)],
    ['dashes', '- '.repeat(95_000)],
    ['unclosed variables', web(`command: '${'${A'.repeat(50_000)}'`)],
    [
      'aliases of aliases',
      laugh((i) => `x-a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`, web('command: *a18')),
    ],
    [
      'merges of merges',
      laugh(
        (i) => `x-a${i + 1}: &a${i + 1}\n  <<: [*a${i}, *a${i}, *a${i}, *a${i}]`,
        web('labels: *a18', '<<: *a18'),
      ),
    ],
    ['keys', 'a:\n'.repeat(60_000)],
    ['quotes', '"'.repeat(190_000)],
  ])('%s', (_name, text) => {
    // Without limits these never finish, so the test would time out.
    const { findings } = analyzeCompose(text);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.length).toBeLessThanOrEqual(900);
  });

  it('never throw for truncated or damaged text', () => {
    const text = `${GOOD}volumes: &v\n  d: {a: [1, "b"]}\nx-a: *v\n`;
    for (let i = 0; i <= text.length; i++) {
      analyzeCompose(text.slice(0, i));
      analyzeCompose(`${text.slice(0, i)}${'{}[]&*!|>\'"%@`:-?#\t'[i % 19]}${text.slice(i)}`);
    }
  });
});

describe('outgoing connections', () => {
  const IMAGE = 'image: nginx:1';
  it.each<[string, string, boolean]>([
    ['of a service that says nothing', '', true],
    ['without a network', 'network_mode: none', false],
    ['in the network of the CVM', 'network_mode: host', true],
    ['in that of another service', 'network_mode: service:other', true],
    ['in an internal network', 'networks: [inside]', false],
    ['in an internal network with an address', 'networks: { inside: { aliases: [a] } }', false],
    ['in an internal and another network', 'networks: [inside, outside]', true],
    ['in a network that isn’t declared', 'networks: [nowhere]', true],
    ['in one that others made', 'networks: [theirs]', true],
    ['in a network set by a variable', 'networks: [variable]', true],
  ])('%s', (_, line, expected) => {
    const text = `services:
  web:
    ${IMAGE}
    ${line}
networks:
  inside: { internal: true }
  outside: {}
  theirs: { internal: true, external: true }
  variable: { internal: "\${INTERNAL}" }
`;
    expect(analyzeCompose(text).services[0]?.hasEgress).toBe(expected);
  });
});
