import { describe, expect, it } from 'vitest';
import type { AppCompose } from '../../../../generated/api/types.gen';
import { guestFieldsOf } from '../../../lib/compose/guestFields';
import { buildAppCompose } from '../../../lib/compose/composeHash';
import { composeHashOf, emptyForm, toProvision } from './form';
import {
  checkGuestForm,
  emptyGuestForm,
  guestFormOf,
  toGuestFields,
  unsupportedSettings,
  whyNoNerdctl,
} from './guestForm';
import { composeAfter } from './update';

const typed = {
  ...emptyGuestForm,
  runner: 'nerdctl-compose',
  init_script: 'echo start\n',
  swap_size: ' 2G ',
  gateway_ports: '80, 443/proxy',
  key_provider_id: '0xABCD',
  event_log_version: '2',
  requirements: '{"os_version": ">=0.6.0"}',
  verity_volumes: `[{"source": "m.img", "verity_root": "${'a'.repeat(64)}", "target": "/m"}]`,
};

it('sends typed values, and nothing for empty fields', () => {
  expect(toGuestFields(emptyGuestForm)).toEqual({});
  expect(toGuestFields(typed)).toEqual({
    runner: 'nerdctl-compose',
    init_script: 'echo start\n',
    swap_size: '2G',
    port_policy: { ports: [{ port: 80 }, { port: 443, pp: true }], restrict_mode: true },
    key_provider_id: '0xABCD',
    event_log_version: 2,
    requirements: { os_version: '>=0.6.0' },
    verity_volumes: [{ source: 'm.img', verity_root: 'a'.repeat(64), target: '/m' }],
  });
  expect(checkGuestForm(typed)).toEqual({});
});

it('fills the form from the file it sends', () => {
  const { app_compose } = buildAppCompose({
    name: 'my-app',
    docker_compose_file: 'services: {}\n',
    ...toGuestFields(typed),
    runner: 'nerdctl-compose',
  });
  const form = guestFormOf(app_compose as AppCompose);
  expect(guestFieldsOf(toGuestFields(form) as never)).toEqual(guestFieldsOf(toGuestFields(typed) as never));
  const plain = { name: 'my-app', docker_compose_file: 'services: {}\n' };
  expect(guestFormOf(buildAppCompose(plain).app_compose as AppCompose)).toEqual(emptyGuestForm);
  const open = buildAppCompose({ ...plain, port_policy: { ports: [{ port: 80, pp: true }] } });
  expect(guestFormOf(open.app_compose as AppCompose).gateway_ports).toBe('');
});

it('names each invalid field', () => {
  const wrong = {
    ...emptyGuestForm,
    swap_size: '2 GB',
    gateway_ports: '80, 80',
    key_provider_id: 'abc',
    requirements: '[]',
    verity_volumes: '{"source": 1}',
  };
  expect(Object.keys(checkGuestForm(wrong)).sort()).toEqual(
    ['gateway_ports', 'key_provider_id', 'requirements', 'swap_size', 'verity_volumes'].sort(),
  );
  expect(toGuestFields({ ...wrong, requirements: 'null' })).toMatchObject({ swap_size: '2 GB' });
  expect(toGuestFields({ ...wrong, requirements: '{' })).not.toHaveProperty('requirements');
});

it('are hashed like the server’s file, and kept by an update', () => {
  const body = toProvision({ ...emptyForm, ...typed, name: 'my-app', compose: 'services: {}\n' });
  const built = buildAppCompose({
    name: 'my-app',
    docker_compose_file: 'services: {}\n',
    public_logs: false,
    ...toGuestFields(typed),
    runner: 'nerdctl-compose',
  });
  expect(composeHashOf(body)).toBe(built.compose_hash);
  expect(built.app_compose).toMatchObject({ manifest_version: '3', key_provider_id: 'abcd' });
  const { event_log_version, ...file } = built.app_compose;
  const after = composeAfter({ ...file, event_log_version: event_log_version ?? 1 } as never, {});
  expect(buildAppCompose(after).compose_hash).toBe(built.compose_hash);
});

it('leave the file unchanged if empty or default', () => {
  const plain = buildAppCompose({ name: 'my-app', docker_compose_file: 'services: {}\n' });
  const empty = guestFieldsOf({
    runner: 'docker-compose',
    init_script: [],
    swap_size: '0G',
    port_policy: {},
    requirements: {},
    verity_volumes: [],
    key_provider_id: '0x',
  });
  expect(empty).toEqual({});
  expect(
    buildAppCompose({ name: 'my-app', docker_compose_file: 'services: {}\n', ...empty }).compose_hash,
  ).toBe(plain.compose_hash);
});

describe('settings that no host at the location supports', () => {
  const image = (name: string, ...version: number[]) => ({
    name,
    version,
    is_dev: false,
    os_image_hash: null,
  });
  const local = { local: true, images: [image('local-1', 1, 0, 0)] };
  const old = { local: false, images: [image('dstack-0.5.10', 0, 5, 10)] };
  const recent = { local: false, images: [image('dstack-0.5.10', 0, 5, 10), image('dstack-0.6.0', 0, 6, 0)] };

  it('are refused before anything is deployed, with the reason', () => {
    const names = (...args: Parameters<typeof unsupportedSettings>) =>
      Object.keys(unsupportedSettings(...args));
    expect(unsupportedSettings({ ...emptyGuestForm, runner: 'nerdctl-compose' }, [local], '')).toEqual({
      runner: expect.stringContaining('local teepod'),
    });
    expect(names(typed, [local], '')).toHaveLength(8);
    // Swap, the KMS root key and a single init script need 0.5.5 or less.
    expect(names(typed, [local, old], '').sort()).toEqual(
      ['event_log_version', 'gateway_ports', 'requirements', 'runner', 'verity_volumes'].sort(),
    );
    expect(names(typed, [local, old, recent], '')).toEqual([]);
    expect(names(typed, [recent], 'dstack-0.5.10')).toContain('runner');
    expect(names(emptyGuestForm, [local], '')).toEqual([]);
  });

  it('leave a lack of hosts to the capacity check', () => {
    expect(unsupportedSettings(typed, [], '')).toEqual({});
  });

  it('include an unavailable runner', () => {
    expect(whyNoNerdctl([local], '')).toContain('local teepod');
    expect(whyNoNerdctl([old], '')).toContain('dstack 0.6.0');
    expect(whyNoNerdctl([local, recent], '')).toBeNull();
  });
});
