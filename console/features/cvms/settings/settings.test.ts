import { describe, expect, it } from 'vitest';
import { imageChoices } from './osImage';
import { ahead, timeFault } from './scheduleTime';
import { publicAddresses, visibilityChange, visibilityEffects } from './visibility';

const all = { public_logs: true, public_sysinfo: true, public_tcbinfo: true };

describe('visibility', () => {
  it('sends only what was changed', () => {
    expect(visibilityChange(all, all)).toBeNull();
    expect(visibilityChange(all, { ...all, public_logs: false })).toEqual({ public_logs: false });
  });

  it('says what becomes public and what no longer is', () => {
    expect(visibilityEffects({ public_logs: false, public_tcbinfo: true })).toEqual([
      'Anyone who knows the address can read: measurements.',
      'Nobody outside the CVM reads any more: container logs.',
      'This console shows no container logs of it then; the serial log remains.',
    ]);
    expect(visibilityEffects({ public_sysinfo: true })).toHaveLength(1);
  });

  it('names the addresses people read it at', () => {
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

  it('come newest first, by numbers and not by letters', () => {
    expect(choices.map(({ name, version }) => `${name} ${version}`)).toEqual([
      'new 0.5.10',
      'new-dev 0.5.10',
      'old 0.5.9',
    ]);
  });

  it('warn where there is something to know', () => {
    expect(choices[0]?.warning).toBeNull();
    expect(choices[1]?.warning).toContain('development image');
    expect(choices[2]?.warning).toContain('Older than 0.5.10');
  });
});

describe('a time to come', () => {
  const now = Date.parse('2026-11-21T12:00:30Z');

  it('is a full minute, never earlier than asked', () => {
    expect(ahead(2, now).toISOString()).toBe('2026-11-21T14:01:00.000Z');
  });

  it('must exist, lie ahead and within a year', () => {
    expect(timeFault(null, now)).toContain('does not exist');
    expect(timeFault(new Date(now), now)).toContain('passed');
    expect(timeFault(ahead(24 * 400, now), now)).toContain('more than a year');
    expect(timeFault(ahead(1, now), now)).toBeNull();
  });
});
