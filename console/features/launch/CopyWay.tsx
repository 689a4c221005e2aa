import { styled } from '@mui/material/styles';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { getCvmOptions, listAppsOptions } from '../../../generated/api/@tanstack/react-query.gen';
import type { App } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { FormShell } from '../../ui/forms/FormShell';
import { SelectInput } from '../../ui/forms/SelectInput';
import { TextInput } from '../../ui/forms/TextInput';
import { Panel } from '../../ui/layout/Panel';
import { space } from '../../ui/theme';
import { useSettled } from '../../ui/useSettled';
import { launchHref, nextName, type Start } from './search';
import type { WayProps } from './way';

const Fields = styled('div')({ display: 'grid', gap: space(4), maxWidth: 560 });
const MANY = 20;

/** An app of the team as a template: everything of it but its data and the values of its secrets. */
export function CopyWay({
  teamSlug,
  start,
  shut,
  base,
  app,
}: WayProps & { base: string; app: string | undefined }) {
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim(), 250);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    ...listAppsOptions({
      ...inTeam(teamSlug),
      query: { page_size: 50, ...(search === '' ? {} : { search }) },
    }),
    placeholderData: keepPreviousData,
  });
  // One that was linked to may be beyond the first fifty.
  const { data: linked } = useQuery({
    ...listAppsOptions({ ...inTeam(teamSlug), query: { page_size: 1, search: app ?? '' } }),
    enabled: app !== undefined,
  });
  const apps = withLinked(data?.dstack_apps, linked?.dstack_apps[0], app);
  const chosen = apps?.find(({ app_id }) => app_id === app);
  const copy = useMutation({
    mutationFn: async (from: App): Promise<Start> => {
      const cvm_id = from.current_cvm?.id ?? '';
      const cvm = await queryClient.fetchQuery(getCvmOptions({ ...inTeam(teamSlug), path: { cvm_id } }));
      const file = cvm.compose_file;
      return {
        name: nextName(from.name),
        compose: file?.docker_compose_file ?? '',
        pre_launch_script: file?.pre_launch_script ?? '',
        public_logs: cvm.public_logs,
        public_sysinfo: cvm.public_sysinfo,
        public_tcbinfo: cvm.public_tcbinfo,
        secrets: (file?.allowed_envs ?? []).map((key) => ({ key, value: '' })),
        ...(cvm.instance_type === null ? {} : { size: cvm.instance_type }),
      };
    },
    onSuccess: start,
  });
  const problem = apps ? null : problemOf(error, 'The apps could not be loaded', () => void refetch());
  if (problem) return <ErrorNotice problem={problem} />;
  if (!apps) return <RowsSkeleton rows={3} />;
  if (apps.length === 0 && search === '' && typed === '')
    return (
      <Panel title="An app you have">
        <EmptyState>
          The team has no app yet. Once one is deployed, it can be the template of the next.
        </EmptyState>
      </Panel>
    );
  const blocked =
    shut ??
    (chosen === undefined
      ? 'Choose an app.'
      : chosen.current_cvm === null
        ? 'No CVM of it is left to copy from.'
        : undefined);
  return (
    <Panel
      title="An app you have"
      subtitle="Compose file, script, size, visibility and the names of its secrets are taken over. Data and values of secrets are not: only its CVMs hold them."
    >
      <FormShell
        aria-label="Template"
        error={problemOf(copy.error, 'The app could not be read')}
        pending={copy.isPending}
        onSubmit={() => chosen && copy.mutate(chosen)}
        submitLabel="Continue"
        {...(blocked === undefined ? {} : { blockedReason: blocked })}
      >
        <Fields>
          {(apps.length > MANY || typed !== '') && (
            <TextInput
              label="Find"
              type="search"
              value={typed}
              placeholder="Name or id"
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
          <SelectInput
            label="App"
            value={chosen?.app_id ?? ''}
            placeholder="Choose an app"
            choices={apps.map(({ app_id, name }) => ({
              value: app_id,
              label: `${name} (${app_id.slice(0, 8)})`,
            }))}
            onChange={(event) =>
              void navigate({
                href: launchHref(base, { way: 'copy', app: event.target.value }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        </Fields>
      </FormShell>
    </Panel>
  );
}

function withLinked(
  apps: readonly App[] | undefined,
  linked: App | undefined,
  app: string | undefined,
): readonly App[] | undefined {
  if (!apps || !linked || linked.app_id !== app || apps.some(({ app_id }) => app_id === app)) return apps;
  return [linked, ...apps];
}
