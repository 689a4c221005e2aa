import styled from '@emotion/styled';
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
import { operationSteps } from './operationSteps';
import { operationNoun, operationResult, operationTitle } from '../../lib/cvms/operationWords';
import { operationOptions } from './queries';
import { isShownAsProblem } from '../../lib/cvms/cvmProblem';
import { isLive } from '../../lib/cvms/allowedActions';
import { showOperationText } from '../../lib/texts/operationTexts';

const Card = styled('section')({
  display: 'grid',
  gap: space(4),
  padding: space(4),
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

/** The operation in progress, live, or the last one if it failed. */
export function OperationCard({ cvm, teamSlug }: { cvm: CvmDetail; teamSlug: string }) {
  const link = useCvmLink();
  const brief = cvm.operation;
  const live = isLive(brief?.state);
  const shown = brief !== null && (live || brief.state === 'failed');
  const { data: operation } = useQuery({
    ...operationOptions(teamSlug, brief?.correlation_id ?? '', live),
    enabled: shown,
  });
  if (!shown) return null;
  if (!operation) return <CardSkeleton lines={4} />;
  const title = operationTitle(operation);
  return (
    <Card aria-label={title}>
      <Head>
        <Title>{title}</Title>
        <OperationChip state={operation.state} />
        <Sub>
          {operation.state === 'queued' ? (
            'Queued'
          ) : operation.finished_at === null ? (
            <>
              for <Elapsed since={operation.created_at} />
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
      <OperationBody
        operation={operation}
        boot_progress={cvm.boot_progress}
        errorShown={isShownAsProblem(cvm, operation)}
      />
    </Card>
  );
}

/** Its suggestion is to read the host's reason, which is already on screen. */
const HOST_REFUSED = 'ERR-00-018';

/** Steps with their times, and the error if any. */
export function OperationBody({
  operation,
  boot_progress = null,
  errorShown = false,
  causeShown = false,
}: {
  operation: Operation;
  boot_progress?: string | null;
  /** Whether the page already shows the error elsewhere, with its code and what to do. */
  errorShown?: boolean;
  /** Whether the cause of the failure is shown above. */
  causeShown?: boolean;
}) {
  const steps = operationSteps(operation, boot_progress).map((step) =>
    (errorShown || causeShown) && step.state === 'failed' ? { ...step, detail: null } : step,
  );
  const { error } = operation;
  const message = error && showOperationText(error.message_keys, error.message);
  // The failed step already shows the message; don't repeat it in the card.
  const messageShown =
    causeShown || steps.some(({ state, detail }) => state === 'failed' && detail === message);
  return (
    <>
      {steps.length > 0 && (
        <ProgressSteps label={`${operationNoun(operation.type, operation)} steps`} steps={steps} />
      )}
      {error && !messageShown && !errorShown && (
        <ErrorNotice
          problem={{
            title: operationResult(operation.type, 'failed', operation),
            message: message ?? error.message,
            code: error.code,
            ...(error.what_to_do === '' ? {} : { suggestions: [error.what_to_do] }),
          }}
        />
      )}
      {error && messageShown && (
        <Sub>
          {error.code !== HOST_REFUSED && error.what_to_do} Code <Code>{error.code}</Code>
        </Sub>
      )}
      <Sub>
        Correlation ID <CopyId id={operation.correlation_id} what="correlation ID" most={0} />
      </Sub>
    </>
  );
}
