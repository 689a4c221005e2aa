import { expect, it } from 'vitest';
import type { Session } from '../../../../generated/api/types.gen';
import { settingsRefusal } from './settingsRefusal';

const features: Session['features'] = {
  registration: true,
  registration_mode: 'open',
  staff_sign_on: 'Corp login',
  billing: false,
  mail: false,
  on_chain_kms: false,
  gpu: false,
};
const said = (session: Partial<Session>) =>
  settingsRefusal({ single_sign_on: null, account_settings_refused: null, features, ...session });

it('says nothing in a session that can change account settings', () => {
  expect(said({})).toBeNull();
});

it('says how the session was opened', () => {
  expect(said({ account_settings_refused: 'staff_sso' })).toMatch(/^You signed in with Corp login, /);
  expect(said({ account_settings_refused: 'break_glass' })).toMatch(/with a break-glass link, /);
  const single_sign_on = { team_name: 'Acme', team_slug: 'acme' };
  expect(said({ account_settings_refused: 'sso', single_sign_on })).toMatch(/with Acme’s single sign-on, /);
  // The user has since left the team.
  expect(said({ account_settings_refused: 'sso' })).toMatch(/with a team’s single sign-on, /);
});
