import { expect, describe, it } from 'vitest';
import { secretFields } from '../../generated/api/permissions.gen';

describe('secret fields', () => {
  it('only grow: no field is ever removed from redaction', () => {
    expect(secretFields).toEqual(
      expect.arrayContaining([
        'password',
        'device_code',
        'access_token',
        'credential',
        'encrypted_env',
        'user_config',
        'token',
      ]),
    );
  });
});
