import styled from '@emotion/styled';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { getCvmOptions, listAppsOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import type { App } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { FormShell } from '../../../ui/forms/FormShell';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { Panel } from '../../../ui/layout/Panel';
import { space } from '../../../ui/theme';
import { useSettled } from '../../../ui/useSettled';
import { appTemplateOptions } from '../templates/queries';
import { copyOf } from './copy';
import { launchHref, type Start } from './search';
import type { OptionProps } from './optionProps';
import { Unknown } from './Unknown';

const Fields = styled('div')({ display: 'grid', gap: space(4), maxWidth: 560 });
const MANY = 20;

/** Uses an existing app as a template: everything but its data and secret values. */
export function CopyOption({
  teamSlug,
  start,
  blockedReason,
  base,
  app,
}: OptionProps & { base: string; app: string | undefined }) {
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
  // A linked app may not be among the first fifty.
  const { data: linked } = useQuery({
    ...listAppsOptions({ ...inTeam(teamSlug), query: { page_size: 1, search: app ?? '' } }),
    enabled: app !== undefined,
  });
  const apps = withLinked(data?.dstack_apps, linked?.dstack_apps[0], app);
  const chosen = apps?.find(({ app_id }) => app_id === app);
  const unknown = linked !== undefined && chosen === undefined ? app : undefined;
  const copy = useMutation({
    mutationFn: async (from: App): Promise<Start> => {
      const cvm_id = from.current_cvm?.id ?? '';
      const [cvm, { template }] = await Promise.all([
        queryClient.fetchQuery(getCvmOptions({ ...inTeam(teamSlug), path: { cvm_id } })),
        queryClient.fetchQuery(appTemplateOptions(teamSlug, from.app_id)),
      ]);
      return {
        ...copyOf(from.name, cvm),
        // The copy is notified of newer versions, too.
        ...(template?.is_offered
          ? { template_id: template.id, template_name: template.name, template_version: template.version }
          : {}),
      };
    },
    onSuccess: start,
  });
  const problem = apps ? null : problemOf(error, 'Couldn’t load the apps', () => void refetch());
  if (problem) return <ErrorNotice problem={problem} />;
  if (!apps) return <RowsSkeleton rows={3} />;
  if (apps.length === 0 && search === '' && typed === '')
    return (
      <Panel title="Existing app">
        {unknown !== undefined && <Unknown what="app" id={unknown} />}
        <EmptyState picture="apps">No apps yet. Deploy one to use it as a template.</EmptyState>
      </Panel>
    );
  const blocked =
    blockedReason ??
    (chosen === undefined
      ? 'Choose an app.'
      : chosen.current_cvm === null
        ? 'This app has no CVM to copy from.'
        : undefined);
  return (
    <Panel
      title="Existing app"
      subtitle="Copies the Compose file, scripts, guest settings, size, visibility and secret names. Data and secret values aren’t copied."
    >
      <FormShell
        aria-label="Template"
        error={problemOf(copy.error, 'Couldn’t load the app')}
        pending={copy.isPending}
        onSubmit={() => chosen && copy.mutate(chosen)}
        submitLabel="Continue"
        {...(blocked === undefined ? {} : { blockedReason: blocked })}
      >
        <Fields>
          {unknown !== undefined && <Unknown what="app" id={unknown} />}
          {(apps.length > MANY || typed !== '') && (
            <TextInput
              label="Find"
              type="search"
              value={typed}
              placeholder="Name or ID"
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
