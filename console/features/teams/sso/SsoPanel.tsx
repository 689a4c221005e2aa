import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SsoSettings } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useMay } from '../../../api/session';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { CardSkeleton } from '../../../ui/feedback/Skeletons';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { Panel } from '../../../ui/layout/Panel';
import { color, radius, space, type } from '../../../ui/theme';
import { DomainProof } from './DomainProof';
import { EnforceRow } from './EnforceRow';
import { ProviderForm } from './ProviderForm';
import { ProvisioningStep } from './ProvisioningStep';
import { ssoOptions } from './queries';
import { RemoveRow } from './RemoveRow';
import { RolesForm } from './RolesForm';
import { ssoState, STATES, stateSentence } from './ssoState';

const Steps = styled('ol')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  marginTop: space(4),
});
const Step = styled('li')({
  padding: space(5),
  minWidth: 0,
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: space(4),
  '&:not(:last-of-type)': { borderBottom: `1px solid ${color.line}` },
});
const Name = styled('h3')({ ...type.body, fontWeight: 600 });
const Sentence = styled('p')({
  ...type.body,
  color: color.muted,
  maxWidth: '72ch',
  overflowWrap: 'anywhere',
});
const Last = styled('p')({ ...type.small, color: color.muted, marginTop: space(2) });

/** The team's single sign-on settings, in setup order. */
export function SsoPanel({ slug }: { slug: string }) {
  const may = useMay('team.security', slug);
  const { data, error, refetch } = useQuery({ ...ssoOptions(slug), enabled: may.allowed });
  const state = ssoState(data?.connection ?? null);
  return (
    <Panel
      title="Single sign-on"
      actions={
        data && (
          <ToneChip tone={STATES[state].tone} glyph={STATES[state].glyph}>
            {STATES[state].word}
          </ToneChip>
        )
      }
    >
      {!may.allowed ? (
        <Notice tone="neutral">{may.reason}</Notice>
      ) : data ? (
        <Setup slug={slug} settings={data} />
      ) : error ? (
        <ErrorNotice problem={problemOf(error, 'Couldn’t load single sign-on', () => void refetch())!} />
      ) : (
        <CardSkeleton />
      )}
    </Panel>
  );
}

function Setup({ slug, settings }: { slug: string; settings: SsoSettings }) {
  const { connection } = settings;
  const [begun, setBegun] = useState(false);
  const state = ssoState(connection);
  return (
    <>
      {state === 'broken' ? (
        <Notice tone="error" title="The provider isn’t working.">
          {connection?.last_error}{' '}
          {connection?.enforced ? 'Owners can still sign in with a password or passkey.' : ''}
        </Notice>
      ) : (
        <Sentence>{stateSentence(connection)}</Sentence>
      )}
      {connection !== null && (
        <Last>
          {connection.last_sign_in_at === null ? (
            'No sign-ins yet.'
          ) : (
            <>
              Last sign-in <RelativeTime at={connection.last_sign_in_at} inWords />.
            </>
          )}
        </Last>
      )}
      {connection === null && !begun ? (
        <Button variant="outlined" onClick={() => setBegun(true)} style={{ marginTop: 16 }}>
          Set up single sign-on
        </Button>
      ) : (
        <Steps>
          <Step>
            <Name>1. Provider</Name>
            <ProviderForm
              key={connection?.id ?? 'new'}
              slug={slug}
              settings={settings}
              onCancel={connection === null ? () => setBegun(false) : undefined}
            />
          </Step>
          {connection !== null && (
            <>
              <Step>
                <Name>2. Domain</Name>
                <DomainProof slug={slug} connection={connection} />
              </Step>
              <Step>
                <Name>3. Roles</Name>
                <RolesForm key={connection.id} slug={slug} settings={settings} />
              </Step>
              <Step>
                <Name>4. Enforcement</Name>
                <EnforceRow slug={slug} settings={settings} connection={connection} />
              </Step>
              <Step>
                <Name>5. Provisioning (SCIM)</Name>
                <ProvisioningStep slug={slug} connection={connection} />
              </Step>
              <Step>
                <Name>Remove</Name>
                <RemoveRow slug={slug} connection={connection} />
              </Step>
            </>
          )}
        </Steps>
      )}
    </>
  );
}
