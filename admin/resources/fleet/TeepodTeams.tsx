import { ActionButton } from '../../../console/ui/controls/ActionButton';
import styled from '@emotion/styled';
import { useState, type FormEvent } from 'react';
import { useParams } from 'react-admin';
import type { AdminTeepodTeam, AdminTeepodTeams } from '../../../generated/api/types.gen';
import { DataTable } from '../../../console/ui/data/DataTable';
import { EmptyState } from '../../../console/ui/feedback/EmptyState';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../../console/ui/feedback/Skeletons';
import { Notice } from '../../../console/ui/feedback/Notice';
import { space } from '../../../console/ui/theme';
import { useSingleFlight } from '../../../console/ui/useSingleFlight';
import { problemOf } from '../../http';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import type { ResourceDescription } from '../../schema/types';
import { usePermissionRefusal } from '../../session';
import { useFleetAction, useFleetQuery } from './api';
import { TeamPicker } from './TeamPicker';
import { TeepodPage } from './TeepodPage';

const Row = styled('form')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'start',
  gap: space(3),
  margin: `${space(4)} 0`,
  // Beside the input, whose label is above it.
  '& > :last-child': { marginTop: 24 },
});

/** Teams that may deploy on a restricted teepod. Changes don't affect existing CVMs. */
export function TeepodTeams({ resource }: { resource: ResourceDescription }) {
  const { id = '' } = useParams();
  const refused = usePermissionRefusal()('admin.infra.write');
  const [team, setTeam] = useState<AdminRecord | null>(null);
  const [isMissing, setIsMissing] = useState(false);
  const { data, error, refetch } = useFleetQuery<AdminTeepodTeams>(`/teepods/${id}/teams`);
  const change = useFleetAction<AdminTeepodTeams>(`/teepods/${id}`);
  const mutate = useSingleFlight(change.mutate);
  const send = (action: string, team_slug: string) =>
    mutate({ action, body: { team_slug } }, { onSuccess: () => setTeam(null) });
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    setIsMissing(team === null);
    if (team) send('/allow-team', String(team.slug));
  };
  return (
    <TeepodPage
      resource={resource}
      title="Teams"
      subtitle="Teams that can deploy here. Removing a team doesn’t affect its existing CVMs."
    >
      {!data && !error ? (
        // The notice would push the form down.
        <RowsSkeleton rows={6} />
      ) : (
        <>
          {data?.all_teams && (
            <Notice tone="neutral">
              Every team can deploy here. This list applies only when “All teams” is off for the teepod.
            </Notice>
          )}
          <Row onSubmit={add}>
            <TeamPicker
              team={team}
              onChange={setTeam}
              error={isMissing && team === null ? 'Choose a team.' : undefined}
              disabled={refused !== undefined}
            />
            <div>
              <ActionButton
                type="submit"
                variant="contained"
                reason={refused}
                pending={change.isPending}
                isRefused={change.isError}
              >
                Add team
              </ActionButton>
            </div>
          </Row>
          {change.error && !change.isPending && (
            <ErrorNotice problem={problemOf(change.error, 'Couldn’t change the teams')} />
          )}
          <DataTable<AdminTeepodTeam>
            id="admin-teepod-teams"
            label="Teams"
            noun={['team', 'teams']}
            columns={[
              { id: 'name', header: 'Team', cell: ({ name }) => name },
              { id: 'slug', header: 'Slug', priority: 2, cell: ({ slug }) => slug },
              {
                id: 'cvms',
                header: 'CVMs here',
                width: 110,
                align: 'right',
                labelled: true,
                cell: ({ cvm_count }) => cvm_count,
              },
            ]}
            rows={data?.teams}
            rowId={(row) => String(row.id)}
            rowName={({ name }) => name}
            rowHref={(row) => adminHref.show('workspaces', row.id)}
            rowActions={({ slug }) => [
              {
                id: 'remove',
                label: 'Remove',
                danger: true,
                onSelect: () => send('/disallow-team', slug),
                ...(refused === undefined ? {} : { disabledReason: refused }),
              },
            ]}
            problem={error ? problemOf(error, 'Couldn’t load teams', () => void refetch()) : null}
            empty={
              <EmptyState picture="members" title="No teams">
                Add a team to let it deploy here.
              </EmptyState>
            }
          />
        </>
      )}
    </TeepodPage>
  );
}
