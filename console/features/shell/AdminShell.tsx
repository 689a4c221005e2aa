import OpenInNewRounded from '@mui/icons-material/OpenInNewRounded';
import { useMatches, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../api/session';
import { useEvents } from '../../api/useEvents';
import { adminMenu } from '../../../generated/api/adminMenu.gen';
import { adminMenuOf } from '../../lib/adminMenu';
import { adminPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { AppFrame } from '../../ui/layout/AppFrame';
import { Account } from './Account';
import { crumbsOf } from './crumbs';
import { useAside } from './pageAside';

/** The frame of the admin area around pages of the console: staff look at a CVM of a team that is not theirs. */
export function AdminShell({ teamSlug, children }: { teamSlug: string; children: ReactNode }) {
  const session = useSession();
  const matches = useMatches();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  useEvents(teamSlug);
  const aside = useAside();
  return (
    <AppFrame
      homeHref={adminPath()}
      nav={adminMenuOf(adminMenu, session, adminPath('cvms'))}
      navFoot={
        <LinkButton href="/" variant="text" size="small" startIcon={<OpenInNewRounded />}>
          Back to the console
        </LinkButton>
      }
      crumbs={crumbsOf(matches)}
      account={<Account />}
      {...aside}
      pageKey={pathname}
    >
      {children}
    </AppFrame>
  );
}
