import styled from '@emotion/styled';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { verifySsoDomain } from '../../../../generated/api/sdk.gen';
import type { SsoConnection, SsoDomainCheck } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { CopyId } from '../../../ui/data/CopyId';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { color, space, type } from '../../../ui/theme';
import { ssoOptions } from './queries';

const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });
const Record = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'max-content minmax(0, 1fr)',
  gap: `${space(2)} ${space(4)}`,
  alignItems: 'baseline',
  '& dt': { ...type.small, color: color.muted },
  '& dd': { ...type.mono, minWidth: 0, overflowWrap: 'anywhere' },
});
const Row = styled('div')({ display: 'flex', alignItems: 'center', gap: space(3) });

/** The TXT record to publish and the result of the DNS check. */
export function DomainProof({ slug, connection }: { slug: string; connection: SsoConnection }) {
  const queryClient = useQueryClient();
  const verify = useMutation({
    mutationFn: async () =>
      (await verifySsoDomain({ ...inTeam(slug), path: { slug }, throwOnError: true })).data,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ssoOptions(slug).queryKey }),
  });
  const verified = connection.suspended_at === null ? connection.domain_verified_at : null;
  return (
    <>
      {connection.domain_verified_at === null ? (
        <Text>
          Publish this TXT record in the DNS of {connection.domain}. It proves that your team controls the
          domain and trusts this provider with it.
        </Text>
      ) : (
        <Text>
          {connection.domain} was verified <RelativeTime at={connection.domain_verified_at} inWords />. Keep
          the record: it’s checked daily, and single sign-on is suspended when it’s missing for a week.
        </Text>
      )}
      <Missing connection={connection} />
      <Record>
        <dt>Type</dt>
        <dd>TXT</dd>
        <dt>Name</dt>
        <dd>
          <CopyId id={connection.txt_name} what="record name" most={0} />
        </dd>
        <dt>Value</dt>
        <dd>
          <CopyId id={connection.txt_value} what="record value" most={0} />
        </dd>
      </Record>
      <Row>
        <PendingButton
          variant={verified === null ? 'contained' : 'outlined'}
          onClick={() => verify.mutate()}
          pending={verify.isPending}
        >
          {verify.isPending ? 'Checking DNS…' : verified === null ? 'Verify' : 'Check again'}
        </PendingButton>
      </Row>
      <div role="status">{verify.data && <Result check={verify.data} />}</div>
      {verify.error && <ErrorNotice problem={problemOf(verify.error, 'Couldn’t verify the domain')!} />}
    </>
  );
}

/** How long the daily check has missed the record, and the consequence. */
function Missing({ connection }: { connection: SsoConnection }) {
  const { domain_missing_since: since, suspends_at, suspended_at } = connection;
  if (suspended_at !== null)
    return (
      <Notice tone="error" title="Single sign-on is suspended.">
        The record has been missing since <RelativeTime at={since ?? suspended_at} inWords />. Publish it
        again, then verify.
      </Notice>
    );
  if (since === null || suspends_at === null) return null;
  return (
    <Notice tone="attention" title="The record is missing.">
      First missed <RelativeTime at={since} inWords />. Publish it again before{' '}
      <RelativeTime at={suspends_at} inWords /> to keep single sign-on.
    </Notice>
  );
}

/** The expected record next to the records found. */
function Result({ check }: { check: SsoDomainCheck }) {
  if (check.problem === null) return <Notice tone="ok">Record found. The domain is verified.</Notice>;
  return (
    <Notice tone="attention" title={check.verified ? 'The record is missing.' : 'Not verified.'}>
      {check.problem}
      <Record style={{ marginTop: 8 }}>
        <dt>Expected</dt>
        <dd>{check.wanted}</dd>
        <dt>Found</dt>
        <dd>
          {check.found.length === 0
            ? 'nothing'
            : check.found.map((text, i) => (
                // Records can be identical.
                // oxlint-disable-next-line react/no-array-index-key
                <div key={i}>{text}</div>
              ))}
        </dd>
      </Record>
    </Notice>
  );
}
