import { styled } from '@mui/material/styles';
import { useQuery } from '@tanstack/react-query';
import type { CvmDetail, Operation } from '../../../generated/api/types.gen';
import { CopyId } from '../../ui/data/CopyId';
import { Elapsed, RelativeTime } from '../../ui/data/RelativeTime';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { ProgressSteps } from '../../ui/feedback/ProgressSteps';
import { CardSkeleton } from '../../ui/feedback/Skeletons';
import { TextLink } from '../../ui/link';
import { color, radius, space, type } from '../../ui/theme';
import { useCvmLink } from './address';
import { OperationChip } from './OperationChip';
import { operationSteps, operationWords } from './operationSteps';
import { operationOptions } from './queries';

const Card = styled('section')({
  display: 'grid',
  gap: space(4),
  padding: space(4),
  marginBottom: space(6),
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
});
const Head = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: `${space(1)} ${space(3)}`,
});
const Title = styled('h2')(type.heading);
const Code = styled('code')(type.mono);
const Sub = styled('span')({ ...type.small, color: color.muted });

/** The change that is going on, live; or the last one when it failed. */
export function OperationCard({ cvm, teamSlug }: { cvm: CvmDetail; teamSlug: string }) {
  const link = useCvmLink();
  const brief = cvm.operation;
  const live = brief?.state === 'queued' || brief?.state === 'running';
  const shown = brief !== null && (live || brief.state === 'failed');
  const { data: operation } = useQuery({
    ...operationOptions(teamSlug, brief?.correlation_id ?? '', live),
    enabled: shown,
  });
  if (!shown) return null;
  if (!operation) return <CardSkeleton lines={4} />;
  return (
    <Card aria-label={operationWords[operation.type]}>
      <Head>
        <Title>{operationWords[operation.type]}</Title>
        <OperationChip state={operation.state} />
        <Sub>
          {operation.state === 'queued' ? (
            'Waiting for its turn'
          ) : operation.finished_at === null ? (
            <>
              for <Elapsed since={operation.started_at ?? operation.created_at} />
            </>
          ) : (
            <RelativeTime at={operation.finished_at} />
          )}
          {operation.requested_by?.username ? ` · ${operation.requested_by.username}` : ''}
        </Sub>
        <span style={{ marginLeft: 'auto' }}>
          <TextLink href={link('logs')}>Logs</TextLink>
        </span>
      </Head>
      <OperationBody operation={operation} boot_progress={cvm.boot_progress} />
    </Card>
  );
}

/** Steps with their times, and the error when there is one. */
export function OperationBody({
  operation,
  boot_progress = null,
}: {
  operation: Operation;
  boot_progress?: string | null;
}) {
  const steps = operationSteps(operation, boot_progress);
  const { error } = operation;
  // The step that failed has said it already; twice in one card is noise.
  const told = steps.some(({ state, detail }) => state === 'failed' && detail === error?.message);
  return (
    <>
      {steps.length > 0 && (
        <ProgressSteps label={`Steps of ${operationWords[operation.type]}`} steps={steps} />
      )}
      {error && !told && (
        <ErrorNotice
          problem={{
            title: `${operationWords[operation.type]} failed`,
            message: error.message,
            code: error.code,
            ...(error.what_to_do === '' ? {} : { suggestions: [error.what_to_do] }),
          }}
        />
      )}
      {error && told && (
        <Sub>
          {error.what_to_do} Code <Code>{error.code}</Code>
        </Sub>
      )}
      <Sub>
        Correlation id <CopyId id={operation.correlation_id} what="correlation id" most={0} />
      </Sub>
    </>
  );
}
