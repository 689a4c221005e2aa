import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { decideDeviceAuthorizationMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { DeviceAuthorization } from '../../../../generated/api/types.gen';
import { recordFeature } from '../../../analytics';
import { isApiError } from '../../../api/apiError';
import { useSession } from '../../../api/session';
import { useProblem } from '../../../api/useProblem';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { useClock } from '../../../ui/data/clock';
import { KeyValue } from '../../../ui/data/KeyValue';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { color, radius, space, type } from '../../../ui/theme';
import { Outcome } from './Outcome';
import { isPlatformScope, describeScope } from './scopes';
import { firstChoice, teamChoices } from './teamChoices';

const Code = styled('p')({
  ...type.mono,
  fontSize: '24px',
  lineHeight: '32px',
  letterSpacing: '0.08em',
  textAlign: 'center',
  padding: space(3),
  borderRadius: radius.panel,
  backgroundColor: color.surface,
  border: `1px solid ${color.line}`,
  userSelect: 'all',
});
const Stack = styled('div')({ display: 'grid', gap: space(4) });
const Heading = styled('h2')({ ...type.heading, marginBottom: space(2) });
const Scopes = styled('ul')({
  display: 'grid',
  gap: space(2),
  paddingLeft: space(4),
  listStyle: 'disc',
  '& > li::marker': { color: color.control },
});
const Scope = styled('code')({ ...type.mono, color: color.faint, whiteSpace: 'nowrap' });
const Address = styled('span')({
  ...type.mono,
  display: 'block',
  color: color.muted,
  overflowWrap: 'anywhere',
});
const Row = styled('div')({ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: space(2) });

/** Shows the client, its origin and requested access, then two equally prominent buttons. */
export function Decision({ request }: { request: DeviceAuthorization }) {
  const session = useSession();
  const choices = teamChoices(session.teams);
  const [slug, setSlug] = useState(firstChoice(session.teams) ?? '');
  const decide = useMutation({
    ...decideDeviceAuthorizationMutation(),
    onSuccess: () => recordFeature('cli_login_decided'),
  });
  const { problem, waitSeconds } = useProblem(decide.error, 'Couldn’t save your decision');
  const expires = Date.parse(request.expires_at);
  const over = useClock(useCallback((now: number) => (now >= expires ? 'over' : ''), [expires])) !== '';
  const team = session.teams.find((candidate) => candidate.slug === slug);

  const decided = decide.data?.state;
  if (decided !== undefined && decided !== 'pending')
    return <Outcome state={decided} {...(team ? { team: team.name } : {})} />;
  // Already decided in another tab, or expired.
  if (over || isApiError(decide.error, 404) || isApiError(decide.error, 409))
    return <Outcome state="expired" />;

  const send = (decision: 'approve' | 'deny') =>
    decide.mutate({
      body: {
        user_code: request.user_code,
        decision,
        ...(decision === 'approve' ? { workspace_slug: slug } : {}),
      },
    });
  const pressed = decide.isPending ? decide.variables.body.decision : undefined;

  return (
    <PublicCard
      title="Approve this login?"
      subtitle={`You’re signed in as ${session.user?.email ?? ''}. Approve only if you started this login and your terminal shows this code:`}
    >
      <Stack>
        <Code aria-label={`Code ${request.user_code}`}>{request.user_code}</Code>
        {!request.same_network && (
          <Notice tone="attention" title="This login comes from a different network.">
            This is expected if your terminal runs on a server or another connection. If someone sent you this
            link or code, deny it.
          </Notice>
        )}
        <KeyValue
          facts={[
            { label: 'Client', value: request.client_id },
            { label: 'Device', value: <span title={request.user_agent ?? undefined}>{request.device}</span> },
            {
              label: 'Network',
              value: (
                <>
                  {request.place}
                  {request.requested_from !== null && <Address>{request.requested_from}</Address>}
                </>
              ),
            },
            { label: 'Requested', value: <RelativeTime at={request.created_at} /> },
          ]}
        />
        <section>
          <Heading>Access requested</Heading>
          <Scopes>
            {request.scopes.map((scope) => (
              <li key={scope}>
                {describeScope(scope)}
                {describeScope(scope) !== scope && <Scope> {scope}</Scope>}
              </li>
            ))}
          </Scopes>
        </section>
        {request.scopes.some(isPlatformScope) && (
          <Notice tone="attention" title="Access beyond your team.">
            This login requests access to the whole platform.
          </Notice>
        )}
        <SelectInput
          label="Team"
          help={
            slug === ''
              ? 'None of your roles allows creating tokens, so you can’t approve this login. Ask an owner or admin.'
              : 'The login is limited to this team and to your role in it.'
          }
          value={slug}
          onChange={(event) => setSlug(event.target.value)}
          choices={choices}
          {...(slug === '' ? { placeholder: 'No team' } : {})}
        />
        {problem && <ErrorNotice problem={problem} />}
        <Row>
          <PendingButton
            onClick={() => send('deny')}
            pending={pressed === 'deny'}
            disabled={pressed === 'approve' || waitSeconds !== undefined}
          >
            Deny
          </PendingButton>
          <PendingButton
            variant="contained"
            onClick={() => send('approve')}
            pending={pressed === 'approve'}
            disabled={pressed === 'deny' || waitSeconds !== undefined || slug === ''}
          >
            {waitSeconds === undefined ? 'Approve' : `Wait ${waitSeconds} s`}
          </PendingButton>
        </Row>
      </Stack>
    </PublicCard>
  );
}
