import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../api/apiError';
import { newRow } from '../../../ui/forms/secrets';
import { deployProblem, formProblem } from './deployProblem';
import { fromDraft, toDraft } from './draft';
import { checkResize, toResources } from './resize';
import {
  checkForm,
  composeHashOf,
  CUSTOM,
  type DeployForm,
  emptyForm,
  serverFieldErrors,
  toProvision,
} from './form';

const compose = 'services:\n  web:\n    image: nginx # stays\n    ports: ["80:80"]\n';
const form = (change: Partial<DeployForm> = {}): DeployForm => ({
  ...emptyForm,
  name: 'my-app',
  compose,
  size: 'tdx.small',
  ...change,
});

describe('toProvision', () => {
  it('sends the compose bytes as typed and an instance type without numbers', () => {
    expect(toProvision(form())).toEqual({
      name: 'my-app',
      instance_type: 'tdx.small',
      compose_file: {
        name: 'my-app',
        docker_compose_file: compose,
        allowed_envs: [],
        public_logs: false,
        public_sysinfo: true,
        public_tcbinfo: true,
      },
    });
  });

  it('sends secret names in order and never a value', () => {
    const body = toProvision(
      form({ secrets: [newRow('B', 'topsecret-1'), newRow(), newRow('A', 'topsecret-2')] }),
    );
    expect(body.compose_file.allowed_envs).toEqual(['B', 'A']);
    expect(JSON.stringify(body)).not.toContain('topsecret');
  });

  it('sends host ports and all GPUs when chosen, and rejects malformed text', () => {
    expect(toProvision(form({ host_ports: '8080:80, 53:5353/udp', all_gpus: true }))).toMatchObject({
      ports: [
        { protocol: 'tcp', host_port: 8080, vm_port: 80 },
        { protocol: 'udp', host_port: 53, vm_port: 5353 },
      ],
      gpus: { attach_mode: 'all' },
    });
    expect(checkForm(form({ host_ports: '53:53/udp 53:53' }))).toEqual({});
    for (const host_ports of ['8080', '0:80', '80:99999', '80:80, 80:81', '80:80/sctp'])
      expect(checkForm(form({ host_ports })).host_ports, host_ports).toContain('8080:80');
    expect(serverFieldErrors({ message: 'Taken.', details: [{ field: 'ports.1.host_port' }] })).toEqual({
      host_ports: 'Taken.',
    });
  });

  it('sends a custom size in MB, and a disk, host, image and script only when chosen', () => {
    const body = toProvision(
      form({
        size: CUSTOM,
        vcpu: '3',
        memory_gb: '1.5',
        disk_gb: '40',
        place: 'teepod:7',
        image: 'dstack-0.5',
        pre_launch_script: 'echo',
      }),
    );
    expect(body).toMatchObject({ vcpu: 3, memory: 1536, disk_size: 40, teepod_id: 7, image: 'dstack-0.5' });
    expect(body.instance_type).toBeUndefined();
    expect(body.compose_file.pre_launch_script).toBe('echo');
    expect(toProvision(form({ place: 'region:eu:west' }))).toMatchObject({ region: 'eu:west' });
  });

  it('hashes the request as sent: each measured field changes the hash, the size does not', () => {
    const hash = composeHashOf(toProvision(form()));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const changes: Partial<DeployForm>[] = [
      { name: 'other-app' },
      { compose: `${compose}\n` },
      { public_logs: true },
      { public_sysinfo: false },
      { public_tcbinfo: false },
      { pre_launch_script: 'true' },
      { secrets: [newRow('A', 'x')] },
    ];
    for (const change of changes) expect(composeHashOf(toProvision(form(change)))).not.toBe(hash);
    expect(composeHashOf(toProvision(form({ size: CUSTOM, disk_gb: '80', place: 'region:x' })))).toBe(hash);
  });
});

describe('checkForm', () => {
  it('accepts a valid form and names the fix for an invalid one', () => {
    expect(checkForm(form())).toEqual({});
    const errors = checkForm(
      form({ name: 'a--b-c', compose: ' ', size: CUSTOM, vcpu: '0', memory_gb: 'x', disk_gb: '1.5' }),
    );
    expect(Object.keys(errors).sort()).toEqual(['compose', 'disk_gb', 'memory_gb', 'name', 'vcpu']);
  });

  it('rejects secrets the guest would reject, without repeating the value', () => {
    expect(checkForm(form({ secrets: [newRow('A', 'v'), newRow('A', 'w')] })).secrets).toContain('Same name');
    const { secrets = '' } = checkForm(form({ secrets: [newRow('A', 'hush\0')] }));
    expect(secrets).toContain('NUL');
    expect(secrets).not.toContain('hush');
  });
});

describe('serverFieldErrors', () => {
  it('shows an error at the field it names, else at the field its code implies', () => {
    expect(
      serverFieldErrors({ message: 'Taken.', code: 'ERR-01-004', details: [{ field: 'name' }] }),
    ).toEqual({ name: 'Taken.' });
    expect(
      serverFieldErrors({
        message: 'No.',
        code: 'ERR-00-005',
        details: [{ field: 'compose_file.allowed_envs.3', message: 'Too long.' }],
      }),
    ).toEqual({
      secrets: 'Too long.',
    });
    expect(serverFieldErrors({ message: 'The quota…', code: 'ERR-02-015' })).toEqual({ size: 'The quota…' });
    expect(serverFieldErrors({ message: 'Broken.', code: 'ERR-00-009' })).toEqual({});
  });
});

describe('draft', () => {
  it('keeps everything except secret values', () => {
    const typed = form({
      secrets: [newRow('TOKEN', 'hunter2'), newRow('', 'stray')],
      disk_gb: '40',
      public_logs: true,
    });
    const stored = JSON.stringify(toDraft(typed));
    expect(stored).not.toContain('hunter2');
    expect(stored).not.toContain('stray');
    const back = fromDraft(JSON.parse(stored));
    expect(back).toMatchObject({ name: 'my-app', compose, disk_gb: '40', public_logs: true });
    expect(back?.secrets.map(({ key, value }) => [key, value])).toEqual([['TOKEN', '']]);
  });

  it('accepts a draft from another version', () => {
    expect(fromDraft({ name: 5, size: 'tdx.large', secret_names: ['A', 1], more: true })).toMatchObject({
      name: '',
      size: 'tdx.large',
    });
    expect(fromDraft('x')).toBeNull();
  });
});

describe('resize', () => {
  const now = { size: 'tdx.small', vcpu: '1', memory_gb: '2', disk_gb: '20' };
  it('sends only what changes', () => {
    expect(toResources(now, now)).toBeNull();
    expect(toResources({ ...now, size: 'tdx.large' }, now)).toEqual({ instance_type: 'tdx.large' });
    expect(toResources({ ...now, size: CUSTOM, memory_gb: '3', disk_gb: '40' }, now)).toEqual({
      vcpu: 1,
      memory: 3072,
      disk_size: 40,
    });
    expect(toResources({ ...now, disk_gb: '' }, now)).toBeNull();
  });
  it('rejects a smaller disk', () => {
    expect(checkResize({ ...now, disk_gb: '10' }, now).disk_gb).toContain('can’t shrink');
    expect(checkResize({ ...now, disk_gb: '30' }, now)).toEqual({});
  });
});

const refused = (field: string) =>
  new ApiError({
    status: 422,
    message: 'One value is invalid.',
    fields: [{ field, message: 'It is too small.' }],
  });

it('leaves an error to a field only if this form has it', () => {
  const atField = (field: string) =>
    formProblem(refused(field), 'Couldn’t resize the CVM', ['vcpu', 'disk_gb'])?.isAtField;
  expect(atField('disk_size')).toBe(true);
  expect(atField('image')).toBe(false);
  expect(atField('unknown')).toBe(false);
  expect(formProblem(refused('image'), 'Couldn’t deploy')?.isAtField).toBe(true);
  expect(formProblem(null, 'Couldn’t deploy')).toBeNull();
});

it('shows why a reserved offer is over, and that nothing was deployed', () => {
  const message =
    'The price of the instance type “tdx.small” has risen since the reservation, from $0.058 to $0.059 an hour.';
  const suggestions = ['Provision again and commit the result.'];
  expect(
    deployProblem(new ApiError({ status: 409, code: 'ERR-00-028', message, suggestions })),
  ).toMatchObject({
    title: 'Nothing was deployed',
    message,
    suggestions: ['The form now shows current prices and options. Check them, then deploy again.'],
  });
  expect(
    deployProblem(new ApiError({ status: 409, code: 'ERR-00-048', message, suggestions })),
  ).toMatchObject({
    title: 'Couldn’t deploy',
    suggestions,
  });
});
