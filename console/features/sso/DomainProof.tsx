import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { verifySsoDomain } from '../../../generated/api/sdk.gen';
import type { SsoConnection, SsoDomainCheck } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { Spinner } from '../../ui/controls/Spinner';
import { CopyId } from '../../ui/data/CopyId';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { color, space, type } from '../../ui/theme';
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

/** The TXT record to publish, and what DNS says of it. */
export function DomainProof({ slug, connection }: { slug: string; connection: SsoConnection }) {
  const queryClient = useQueryClient();
  const verify = useMutation({
    mutationFn: async () =>
      (await verifySsoDomain({ ...inTeam(slug), path: { slug }, throwOnError: true })).data,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ssoOptions(slug).queryKey }),
  });
  const verified = connection.domain_verified_at;
  return (
    <>
      {verified === null ? (
        <Text>
          Publish this TXT record in the DNS of {connection.domain}. It proves that whoever answers for the
          domain wants this provider to speak for its people.
        </Text>
      ) : (
        <Text>
          {connection.domain} was verified <RelativeTime at={verified} />. The record may stay or go.
        </Text>
      )}
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
        <Button
          variant={verified === null ? 'contained' : 'outlined'}
          onClick={() => verify.mutate()}
          disabled={verify.isPending}
          startIcon={verify.isPending ? <Spinner /> : undefined}
        >
          {verify.isPending ? 'Asking DNS…' : verified === null ? 'Verify' : 'Look again'}
        </Button>
      </Row>
      <div role="status">{verify.data && <Result check={verify.data} />}</div>
      {verify.error && <ErrorNotice problem={problemOf(verify.error, 'The domain was not verified')!} />}
    </>
  );
}

/** What DNS answered beside what is wanted. */
function Result({ check }: { check: SsoDomainCheck }) {
  if (check.problem === null) return <Notice tone="ok">DNS shows the record. The domain is verified.</Notice>;
  return (
    <Notice tone="attention" title={check.verified ? 'The record is gone.' : 'Not verified.'}>
      {check.problem}
      <Record style={{ marginTop: 8 }}>
        <dt>Wanted</dt>
        <dd>{check.wanted}</dd>
        <dt>Found</dt>
        <dd>
          {check.found.length === 0
            ? 'nothing'
            : check.found.map((text, i) => (
                // Several records may be the same.
                // oxlint-disable-next-line react/no-array-index-key
                <div key={i}>{text}</div>
              ))}
        </dd>
      </Record>
    </Notice>
  );
}
