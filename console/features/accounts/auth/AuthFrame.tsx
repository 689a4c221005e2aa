import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { useSession } from '../../../api/session';
import { accountPath } from '../../../lib/paths';
import { PUBLIC_PATHS } from '../../../lib/public/site';
import { brandName, isPageHidden } from '../../../ui/brand/installation';
import { PublicFrame } from '../../../ui/layout/PublicFrame';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { color, space, type } from '../../../ui/theme';
import { AnalyticsChoice } from './AnalyticsChoice';

const Foot = styled('span')({
  ...type.caption,
  display: 'inline-flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(3),
  color: color.muted,
});

const about = () =>
  isPageHidden(PUBLIC_PATHS.about)
    ? []
    : [{ key: 'o', label: `About ${brandName()}`, href: PUBLIC_PATHS.about }];
const SIGNED_OUT = [
  { key: 's', label: 'Sign in', href: '/login' },
  { key: 'c', label: 'Create an account', href: '/register' },
];
/** Invitations and confirmations are opened by signed-in users, too. */
const SIGNED_IN = [
  { key: 'a', label: 'Apps', href: '/' },
  { key: 'p', label: 'Profile', href: accountPath() },
];

/** The page frame around sign-in forms. Names the server's version and environment. */
export function AuthFrame({ children }: { children: ReactNode }) {
  const { environment, user } = useSession();
  return (
    <PublicFrame
      moves={[...(user === null ? SIGNED_OUT : SIGNED_IN), ...about()]}
      footer={
        <Foot>
          <span>
            {brandName()} {environment.version}
          </span>
          <AnalyticsChoice />
          {environment.local_teepod && (
            <ToneChip tone="simulated" glyph="hatch">
              Local teepod, no hardware TEE
            </ToneChip>
          )}
        </Foot>
      }
    >
      {children}
    </PublicFrame>
  );
}
