import { useState } from 'react';
import { Announcements } from '../features/announcements/Announcements';
import { Bell } from '../features/notifications/Bell';
import { AccountShell } from '../shell/AccountShell';
import { CreateTeamDialog } from '../shell/CreateTeamDialog';
import { Button } from '../ui/controls/Button';
import { EmptyState } from '../ui/feedback/EmptyState';
import { PageHeader } from '../ui/layout/PageHeader';

/** The start page of users without a team, for example after deleting or leaving their only one. */
export function NoTeams() {
  const [isCreating, setCreating] = useState(false);
  return (
    <AccountShell current="" bell={<Bell />} announcements={<Announcements />}>
      <PageHeader title="Teams" />
      <EmptyState
        picture="members"
        title="No teams yet"
        action={
          <Button variant="contained" onClick={() => setCreating(true)}>
            Create team
          </Button>
        }
      >
        Apps belong to a team. Create one, or open an invitation you received by email.
      </EmptyState>
      <CreateTeamDialog open={isCreating} onClose={() => setCreating(false)} />
    </AccountShell>
  );
}
