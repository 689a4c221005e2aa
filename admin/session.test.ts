import { expect, it } from 'vitest';
import type { Features } from '../generated/api/types.gen';
import { permissionRefusal } from './session';

const session = (mail: boolean, ...platform_permissions: string[]) => ({
  platform_permissions,
  platform_role: 'admin' as const,
  features: { mail } as Features,
});

it('doesn’t offer to resend mail without a mail server', () => {
  const resend = 'admin.outbox.write';
  expect(permissionRefusal(session(true, resend), resend)).toBeUndefined();
  expect(permissionRefusal(session(false, resend), resend)).toContain('No mail server is configured.');
  expect(permissionRefusal(session(true), resend)).toContain('doesn’t include admin.outbox.write');
  expect(permissionRefusal(session(false, 'admin.outbox.read'), 'admin.outbox.read')).toBeUndefined();
});
