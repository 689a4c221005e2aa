import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../../api/problem';
import { findTeam, useSession } from '../../../api/session';
import { aiHref, modelsHref } from '../../../lib/ai/addresses';
import type { ServedModel } from '../../../lib/ai/servedModel';
import { adminPath } from '../../../lib/paths';
import { Button, LinkButton } from '../../../ui/controls/Button';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';
import { useCvmAddress } from '../address';
import { PublishModelDialog } from './PublishModelDialog';
import { PublishTeamModelDialog } from './PublishTeamModelDialog';
import { modelsOptions, teamModelsOptions, upstreamsOptions } from './queries';

const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '68ch' });
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

interface Props {
  model: ServedModel;
  base_url: string;
}

/** Whether the API offers the model, to every team and to the CVM's own, with the actions to offer it. */
export function ModelOffers({ model, base_url }: Props) {
  const { teamSlug } = useCvmAddress();
  const session = useSession();
  const isAdmin = session.platform_permissions.includes('admin.infra.write');
  // Staff also see other teams' CVMs, and try models in their own team.
  const team = findTeam(session, teamSlug);
  const mayOffer = team?.permissions.includes('ai.write') === true;
  const [opened, setOpened] = useState<'platform' | 'team' | null>(null);
  const upstreams = useQuery(upstreamsOptions(isAdmin));
  const models = useQuery(modelsOptions(isAdmin));
  const own = useQuery(teamModelsOptions(teamSlug, team !== undefined));
  const problem = problemOf(upstreams.error ?? models.error, 'Couldn’t load AI upstreams');
  const ownProblem = problemOf(own.error, 'Couldn’t load the team’s AI models');
  const upstream = upstreams.data?.find(({ url, team_id }) => url === base_url && team_id === null);
  const published =
    upstream &&
    models.data?.find((one) => one.upstreams.some(({ upstream_id }) => upstream_id === upstream.id));
  const offered = own.data?.find((one) => one.base_url === base_url);
  const mayPublish = isAdmin && upstreams.data !== undefined && models.data !== undefined && !published;
  const mayOfferNow = mayOffer && own.data !== undefined && !offered;
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      {ownProblem && <ErrorNotice problem={ownProblem} />}
      {!isAdmin && !mayOffer && !offered && (
        <Text>
          A member who can create AI keys can serve the model to the team’s keys through this server’s API.
        </Text>
      )}
      {(mayPublish || mayOfferNow) && (
        <Row>
          {mayPublish && (
            <Button variant="outlined" onClick={() => setOpened('platform')}>
              Serve through the API…
            </Button>
          )}
          {mayOfferNow && (
            <Button variant="outlined" onClick={() => setOpened('team')}>
              {isAdmin ? 'Serve to the team’s keys only…' : 'Serve through the API…'}
            </Button>
          )}
        </Row>
      )}
      {published && (
        <Text>
          Served through the API as{' '}
          <TextLink href={adminPath('ai-models', String(published.id))}>{published.model}</TextLink>.{' '}
          <LinkButton
            size="small"
            href={aiHref({ team: team?.slug, tab: 'playground', model: published.model })}
          >
            Try it
          </LinkButton>
        </Text>
      )}
      {offered && (
        <Text>
          {offered.state === 'offered'
            ? 'Served to the team’s keys through the API as'
            : 'Not currently offered to the team’s keys:'}{' '}
          <TextLink href={modelsHref({ team: teamSlug })}>{offered.model}</TextLink>.{' '}
          {offered.state === 'offered' && (
            <LinkButton
              size="small"
              href={aiHref({ team: teamSlug, tab: 'playground', model: offered.model })}
            >
              Try {offered.name}
            </LinkButton>
          )}
        </Text>
      )}
      {opened === 'platform' && <PublishModelDialog model={model} onClose={() => setOpened(null)} />}
      {opened === 'team' && <PublishTeamModelDialog model={model} onClose={() => setOpened(null)} />}
    </>
  );
}
