import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import {
  getTemplateOptions,
  listTemplatesOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { TeamTemplate, Template } from '../../../../generated/api/types.gen';
import { isApiError } from '../../../api/apiError';
import { problemOf } from '../../../api/problem';
import { useTeam } from '../../../api/session';
import { appNameFrom } from '../../../lib/ids';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { Panel } from '../../../ui/layout/Panel';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';
import { space } from '../../../ui/theme';
import { everySize, instanceTypesOptions } from '../deploy/queries';
import { teamTemplateOptions, teamTemplatesOptions } from '../templates/teamQueries';
import { TeamTemplateTools } from '../templates/TeamTemplateTools';
import type { OptionProps } from './optionProps';
import { isTeamTemplateId, OWN_SERVER } from '../../../lib/apps/templateId';
import { launchHref } from './search';
import { Unknown } from './Unknown';
import { TemplateForm, type FormTemplate } from './TemplateForm';

const OwnServerForm = lazyWithRetry(() =>
  import('./OwnServerForm').then((m) => ({ default: m.OwnServerForm })),
);

const Fields = styled('div')({ display: 'grid', gap: space(4), minWidth: 0, maxWidth: 560 });
const Tools = styled('div')({ marginTop: space(4) });

interface Props extends OptionProps {
  base: string;
  id: string | undefined;
  way: 'template' | 'mcp';
}

/** Starts from a template of the server or the team, or with an MCP server (from a template or the user's own). */
export function TemplateOption({ base, id, way, ...option }: Props) {
  const { teamSlug } = option;
  const navigate = useNavigate();
  const team = useTeam(teamSlug);
  const list = useQuery({ ...listTemplatesOptions(), staleTime: 10 * 60_000 });
  const own = useQuery({ ...teamTemplatesOptions(teamSlug), enabled: way === 'template' });
  const isOwnServer = way === 'mcp' && id === OWN_SERVER;
  const chosen = useChosen(teamSlug, isOwnServer ? undefined : id);
  const sizes = useQuery(instanceTypesOptions());
  const unread = [list, ...(way === 'template' ? [own] : [])].find(({ data }) => !data);
  if (!list.data || unread) {
    const problem =
      unread && problemOf(unread.error, 'Couldn’t load the templates', () => void unread.refetch());
    return problem ? <ErrorNotice problem={problem} /> : <RowsSkeleton rows={3} />;
  }
  const isMissing = id !== undefined && ((!chosen.template && !isOwnServer) || !sizes.data);
  const problem = !isMissing
    ? null
    : chosen.template || isOwnServer
      ? problemOf(sizes.error, 'Couldn’t load the sizes', () => void sizes.refetch())
      : problemOf(chosen.error, 'Couldn’t load the template', chosen.refetch);
  const isUnknown = isApiError(chosen.error, 404);
  const choose = (template: string | undefined) =>
    void navigate({
      href: launchHref(base, { way, template }),
      replace: true,
      resetScroll: false,
    });
  const ours = own.data ?? [];
  const offered = way === 'mcp' ? list.data.filter(({ category }) => category === 'mcp') : list.data;
  const choices = [
    ...ours.map(({ id: value, name }) => ({ value, label: name, group: `${team.name} templates` })),
    ...offered.map(({ id: value, name }) => ({
      value,
      label: name,
      ...(ours.length > 0 ? { group: 'Server templates' } : {}),
    })),
    ...(way === 'mcp' ? [{ value: OWN_SERVER, label: 'Your own server' }] : []),
  ];
  const title = way === 'mcp' ? 'MCP server' : 'Template';
  return (
    <Panel title={title} subtitle="You can change everything before deploying.">
      <Fields>
        {id !== undefined && isUnknown && <Unknown what="template" id={id} />}
        <SelectInput
          label={title}
          value={choices.some(({ value }) => value === id) ? (id ?? '') : ''}
          placeholder={way === 'mcp' ? 'Choose an MCP server' : 'Choose a template'}
          choices={choices}
          onChange={(event) => choose(event.target.value)}
        />
      </Fields>
      {problem && !isUnknown && <ErrorNotice problem={problem} />}
      {isMissing && !problem && <RowsSkeleton rows={3} />}
      {chosen.own && (
        <Tools>
          <TeamTemplateTools teamSlug={teamSlug} template={chosen.own} onDeleted={() => choose(undefined)} />
        </Tools>
      )}
      {isOwnServer && sizes.data && (
        <Suspense fallback={<RowsSkeleton rows={3} />}>
          <OwnServerForm sizes={everySize(sizes.data)} {...option} />
        </Suspense>
      )}
      {chosen.template && sizes.data && (
        <TemplateForm key={id} template={chosen.template} sizes={everySize(sizes.data)} {...option} />
      )}
    </Panel>
  );
}

/** Loads the chosen template. IDs of team templates have their own format. */
function useChosen(teamSlug: string, id: string | undefined) {
  const isOwn = id !== undefined && isTeamTemplateId(id);
  const server = useQuery({
    ...getTemplateOptions({ path: { template_id: id ?? '' } }),
    enabled: id !== undefined && !isOwn,
    staleTime: 10 * 60_000,
  });
  const own = useQuery({ ...teamTemplateOptions(teamSlug, id ?? ''), enabled: isOwn });
  const { error, refetch } = isOwn ? own : server;
  return {
    own: isOwn ? own.data : undefined,
    template: isOwn ? own.data && ofTeam(own.data) : server.data && ofServer(server.data),
    error,
    refetch: () => void refetch(),
  };
}

const ofServer = (template: Template): FormTemplate => ({ ...template, app_name: template.id });
const ofTeam = (template: TeamTemplate): FormTemplate => ({
  ...template,
  needs: [],
  app_name: appNameFrom(template.name),
});
