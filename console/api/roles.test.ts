import { expect, it } from 'vitest';
import { permissions } from '../../generated/api/permissions.gen';
import { renderMail } from '../../server/domain/notifications/mail';
import { roleSentence } from './roles';

const heldBy = (role: string) =>
  Object.entries(permissions)
    .filter(([, { roles }]) => (roles as readonly string[]).includes(role))
    .map(([name]) => name);

it('the billing role’s description matches its permissions', () => {
  // If billing gets another permission, its sentence and the invitation mail must mention it.
  expect(heldBy('billing')).toEqual([...heldBy('viewer'), 'billing.read', 'billing.manage']);
  const mail = renderMail(
    'invitation',
    {
      token: 'x',
      team_name: 'Acme',
      role: 'billing',
      inviter_name: 'alice',
      inviter_email: 'alice@example.test',
      expires_at: new Date('2026-12-01T00:00:00Z'),
    },
    { brand: 'Teehouse', url: 'https://cloud.example.test' },
  );
  expect(roleSentence('billing')).toMatch(/same access as a viewer.*payments/i);
  const invitation = mail.text.replaceAll(/\s+/g, ' ');
  expect(invitation).toContain(
    'a billing member: you can view apps, logs, usage and cost, add funds and redeem codes, but not change apps',
  );
  for (const text of [roleSentence('billing'), invitation]) expect(text).not.toMatch(/invoice/i);
});
