import type { CurrentUser, Me20251028 } from '../../../generated/api/types.gen';

/** getCurrentUser as in version 2025-10-28: one flat object, with credits as numbers. */
export function me20251028({ user, workspace, credits }: CurrentUser): Me20251028 {
  return {
    username: user.username,
    email: user.email,
    credits: Number(credits.balance),
    granted_credits: Number(credits.granted_balance),
    avatar: user.avatar,
    team_name: workspace.name,
    team_tier: workspace.tier,
  };
}
