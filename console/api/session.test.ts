import { expect, it } from 'vitest';
import type { Session, SessionTeam } from '../../generated/api/types.gen';
import { titleInTeam } from './session';

const team = (slug: string, name: string) => ({ slug, name }) as SessionTeam;
const session = (...teams: SessionTeam[]) => ({ teams }) as Session;

it('names the team in a title for users with several teams', () => {
  const several = session(team('acme', 'Acme'), team('globex', 'Globex'));
  expect(titleInTeam(several, 'globex', 'Code redeemed')).toBe('Code redeemed · Globex');
  expect(titleInTeam(session(team('acme', 'Acme')), 'acme', 'Code redeemed')).toBe('Code redeemed');
  // Staff act for teams they don't belong to.
  expect(titleInTeam(several, 'initech', 'Code redeemed')).toBe('Code redeemed');
});
