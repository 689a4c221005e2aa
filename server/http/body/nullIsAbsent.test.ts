import { describe, expect, it } from 'vitest';
import { zPatchCvmBody, zProvisionCvmBody, zUpdateCvmEnvsBody } from '../../../generated/api/zod.gen';
import { parseNullAsAbsent } from './nullIsAbsent';

describe('null in a body from published clients', () => {
  it('means absent where the schema has no null', () => {
    const body = { encrypted_env: '00', env_keys: null, compose_hash: null, transaction_hash: null };
    expect(parseNullAsAbsent(zUpdateCvmEnvsBody, body).data).toEqual({ encrypted_env: '00', env_keys: null });
    expect(parseNullAsAbsent(zPatchCvmBody, { allowed_envs: null, vcpu: null, memory: 512 }).data).toEqual({
      memory: 512,
    });
    expect(body.compose_hash).toBeNull();
  });

  it('means absent in an object inside, except where it is a value', () => {
    const compose_file = { docker_compose_file: 'services: {}', runner: null };
    const gpus = { count: 0, product_name: null };
    expect(
      parseNullAsAbsent(zProvisionCvmBody, { name: 'hello', compose_file, gpus, instance_type: null }).data,
    ).toEqual({ name: 'hello', compose_file: { docker_compose_file: 'services: {}' }, gpus });
  });

  it("doesn't stand for a required field, a body or an item of a list", () => {
    for (const body of [{ encrypted_env: null }, null, { encrypted_env: '00', env_keys: [null] }])
      expect(parseNullAsAbsent(zUpdateCvmEnvsBody, body).success).toBe(false);
  });
});
