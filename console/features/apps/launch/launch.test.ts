import { expect, test } from 'vitest';
import { OWN_SERVER } from '../../../lib/apps/templateId';
import { analyzeCompose } from '../../../lib/compose/composeFile';
import { cvmNameProblem } from '../../../lib/ids';
import { commands } from './commands';
import { composeInputOf, emptyForm, toProvision } from '../deploy/form';
import { inputOf, readChosen } from './chosenFile';
import { copyOf } from './copy';
import { deploySearch, launchFromDeploy, launchHref, launchSearch, nextName } from './search';
import { STARTERS } from './starters';

const APP = 'ab12'.repeat(10);

test('round-trips the selected option through its URL', () => {
  for (const search of [
    { way: 'agent' },
    { way: 'copy', app: APP },
    { way: 'case', case: 'oracle' },
    { way: 'template', template: 'postgresql' },
    { way: 'mcp', template: OWN_SERVER },
    { way: 'template', template: 'tpl_7m2k4t9w1b3c5d8f' },
  ] as const) {
    const { searchParams } = new URL(launchHref('/acme/launch', search), 'http://x');
    expect(launchSearch(Object.fromEntries(searchParams))).toEqual({
      app: undefined,
      case: undefined,
      template: undefined,
      ...search,
    });
  }
  expect(launchHref('/launch', {})).toBe('/launch');
});

test('opens the template option for an app in the URL and drops invalid values', () => {
  expect(launchSearch({ app: APP })).toEqual({ way: 'copy', app: APP, case: undefined });
  expect(launchSearch({ template: 'postgresql' })).toMatchObject({ way: 'template', template: 'postgresql' });
  expect(launchSearch({ template: 'tpl_7m2k4t9w1b3c5d8f' })).toMatchObject({ way: 'template' });
  for (const template of ['tpl_', 'tpl_A', 'tpl_a/../b', 'x_y', 'tpl_1'.repeat(20)])
    expect(launchSearch({ template }).template).toBeUndefined();
  expect(launchSearch({ case: 'oracle' })).toMatchObject({ way: 'case', case: 'oracle' });
  expect(launchSearch({ way: 'magic', app: '../x', case: 'No/pe', template: '../x' })).toEqual({
    way: undefined,
    app: undefined,
    case: undefined,
  });
});

test('keeps the ID of an app that may not exist, so that the page can say so', () => {
  expect(launchSearch({ app: 'zzz' })).toMatchObject({ way: 'copy', app: 'zzz' });
});

test('passes a template or an app in the deploy form’s address to the launch page', () => {
  const of = (search: Record<string, unknown>) => launchFromDeploy(deploySearch(search));
  expect(of({ template: 'zzz' })).toEqual({ way: 'template', template: 'zzz' });
  expect(of({ from: APP })).toEqual({ way: 'copy', app: APP });
  expect(of({ from: 'zzz' })).toEqual({ way: 'copy', app: 'zzz' });
  for (const search of [{}, { from: '../x' }, { template: 7 }]) expect(of(search)).toBeNull();
});

test('gives copies unique names the server accepts', () => {
  expect(nextName('web-1')).toBe('web-1-copy');
  expect(nextName('web-1-copy')).toBe('web-1-copy-2');
  expect(nextName('web-1-copy-9')).toBe('web-1-copy-10');
  for (const name of ['a'.repeat(63), `${'a'.repeat(49)}-${'b'.repeat(13)}`])
    expect(cvmNameProblem(nextName(name)), name).toBeNull();
});

test('fills the copy’s form with the size and guest settings, too', () => {
  const cvm = {
    compose_file: {
      manifest_version: 2,
      name: 'web',
      runner: 'nerdctl-compose' as const,
      snapshotter: 'stargz' as const,
      init_script: ['echo one', 'echo two'],
      kms_enabled: false,
      docker_compose_file: 'services: {}\n',
      allowed_envs: ['TOKEN'],
      swap_size: '2G',
      port_policy: { ports: [{ port: 443, pp: true }], restrict_mode: true },
      secure_time: true,
      storage_fs: 'ext4' as const,
    },
    instance_type: null,
    resource: {
      instance_type: null,
      vcpu: 3,
      memory_in_gb: 5.5,
      disk_in_gb: 80,
      gpus: 0,
      compute_billing_price: null,
      billing_period: null,
    },
    public_logs: true,
    public_sysinfo: true,
    public_tcbinfo: false,
    gateway_enabled: false,
  };
  expect(copyOf('web', cvm)).toMatchObject({
    name: 'web-copy',
    secrets: [{ key: 'TOKEN', value: '' }],
    size: 'custom',
    vcpu: '3',
    memory_gb: '5.5',
    disk_gb: '80',
    swap_size: '2G',
    gateway_ports: '443/proxy',
  });
  // A copy of an app without a gateway must not become reachable.
  const body = toProvision({ ...emptyForm, ...copyOf('web', cvm), secrets: [] });
  expect(body.compose_file.gateway_enabled).toBe(false);
  expect(composeInputOf(body).gateway_enabled).toBe(false);
  // All are measured, so the browser's hash includes them, too.
  const kept = {
    secure_time: true,
    storage_fs: 'ext4',
    kms_enabled: false,
    snapshotter: 'stargz',
    init_script: ['echo one', 'echo two'],
  };
  expect(body.compose_file).toMatchObject(kept);
  expect(composeInputOf(body)).toMatchObject(kept);
  expect(copyOf('web', { ...cvm, instance_type: 'tdx.small' })).toMatchObject({
    size: 'tdx.small',
    disk_gb: '80',
  });
});

test('reports an oversized file at the input it was chosen in', async () => {
  const file = (name: string, size: number) => ({ name, size, text: async () => 'A=1' });
  const [compose, env] = await Promise.all(
    [file('compose.yml', 3), file('big.env', 204_801)].map(async (one) => inputOf(await readChosen(one))),
  );
  expect(compose).toEqual({ file: { name: 'compose.yml', text: 'A=1' }, props: {} });
  expect(env).toEqual({
    file: null,
    props: { error: 'big.env is 204,801 bytes; the limit is 204,800.' },
  });
  expect(inputOf(await readChosen(undefined))).toEqual({ file: null, props: {} });
});

test('includes the server address in the commands', () => {
  const { login, pipeline } = commands('https://tee.example/');
  expect(login).toBe('npx phala login --url https://tee.example/api/v1');
  expect(pipeline).toContain('PHALA_CLOUD_API_PREFIX=https://tee.example/api/v1\n');
});

test.each(STARTERS.map((starter) => [starter.id, starter] as const))(
  'the starter %s is a valid app that names the secrets it uses',
  (_id, { name, compose, secrets = [] }) => {
    const secretNames = secrets.map(({ key }) => key);
    const { findings, variables } = analyzeCompose(compose, { secretNames });
    // Tags, because a digest in our source would age.
    expect(findings.map(({ code }) => code).filter((code) => code !== 'image_no_digest')).toEqual([]);
    expect(variables.map((variable) => variable.name)).toEqual(secretNames);
    expect(cvmNameProblem(name)).toBeNull();
  },
);
