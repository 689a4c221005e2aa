import { describe, expect, it } from 'vitest';
import { ahead, timeFault } from '../../../lib/time/scheduleTime';
import { imageChoices } from './osImage';
import { publicAddresses, visibilityChange, visibilityEffects } from './visibility';

const all = { public_logs: true, public_sysinfo: true, public_tcbinfo: true };

describe('visibility', () => {
  it('sends only changed values', () => {
    expect(visibilityChange(all, all)).toBeNull();
    expect(visibilityChange(all, { ...all, public_logs: false })).toEqual({ public_logs: false });
  });

  it('lists what becomes public and private', () => {
    expect(visibilityEffects({ public_logs: false, public_tcbinfo: true }, 'tee')).toEqual([
      'Anyone who knows the address can read: measurements.',
      'No longer readable outside the CVM: container logs.',
      'This console will no longer show its container logs; the serial log remains.',
    ]);
    expect(visibilityEffects({ public_sysinfo: true }, 'tee')).toHaveLength(1);
  });

  it('doesn’t say that a local teepod hides what it still shows', () => {
    expect(visibilityEffects({ public_logs: false, public_sysinfo: false }, 'local')).toEqual([
      'Only your team and the machine’s operator can read: container logs, system information.',
    ]);
    expect(visibilityEffects({ public_tcbinfo: false }, 'local')).toEqual([
      'No longer readable outside the CVM: measurements.',
    ]);
  });

  it('lists the public addresses', () => {
    const gateway = { base_domain: 'apps.example.test', cname: null };
    const cvm = { app_id: 'a'.repeat(40), gateway, trust: 'unknown' as const };
    expect(publicAddresses(cvm).public_logs).toBe(
      `https://${'a'.repeat(40)}-8090.apps.example.test/logs/<container>`,
    );
    expect(publicAddresses({ ...cvm, trust: 'simulated' }).public_tcbinfo).toMatch(/^http:/);
    expect(publicAddresses({ ...cvm, gateway: { ...gateway, base_domain: null } })).toEqual({});
  });
});

describe('OS images', () => {
  const image = (name: string, is_current = false) => ({ name, os_image_hash: null, is_current });
  const choices = imageChoices([
    { version: [0, 5, 9], prod: image('old'), dev: null },
    { version: [0, 5, 10], prod: image('new', true), dev: image('new-dev') },
  ]);

  it('are sorted newest first, numerically', () => {
    expect(choices.map(({ name, version }) => `${name} ${version}`)).toEqual([
      'new 0.5.10',
      'new-dev 0.5.10',
      'old 0.5.9',
    ]);
  });

  it('warn about old and development images', () => {
    expect(choices[0]?.warning).toBeNull();
    expect(choices[1]?.warning).toContain('development image');
    expect(choices[2]?.warning).toContain('Older than 0.5.10');
  });
});

describe('scheduled time', () => {
  const now = Date.parse('2026-11-21T12:00:30Z');

  it('is a full minute, never earlier than requested', () => {
    expect(ahead(2, now).toISOString()).toBe('2026-11-21T14:01:00.000Z');
  });

  it('must exist and be within the next year', () => {
    expect(timeFault(null, now)).toContain('doesn’t exist');
    expect(timeFault(new Date(now), now)).toContain('in the past');
    expect(timeFault(ahead(24 * 400, now), now)).toContain('within one year');
    expect(timeFault(ahead(1, now), now)).toBeNull();
  });
});
