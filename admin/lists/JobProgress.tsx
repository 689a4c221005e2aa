import { Button, LinkButton } from '../../console/ui/controls/Button';
import styled from '@emotion/styled';
import { useEffect, useEffectEvent } from 'react';
import type { AdminBulkJob } from '../../generated/api/types.gen';
import { count } from '../../console/lib/texts/count';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { color, motion, radius, space, tabular, type } from '../../console/ui/theme';
import { isFinished, useBulkJob } from './bulkJobs';
import { problemOf } from '../http';
import { adminHref } from '../paths';
import { words } from '../schema/labels';

const Box = styled('section')({
  display: 'grid',
  gap: space(2),
  marginBottom: space(4),
  padding: space(4),
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
});
const Head = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(2),
});
const Title = styled('p')({ ...type.body, flex: '1 1 200px', fontWeight: 550 });
const Figures = styled('p')({ ...type.small, ...tabular, color: color.muted });
const Track = styled('div')({
  height: 6,
  borderRadius: 3,
  backgroundColor: color.neutralSoft,
  overflow: 'hidden',
});
const Fill = styled('div')({
  height: '100%',
  backgroundColor: color.accent,
  transition: `width ${motion.normal}`,
});

/** "37 of 40 done, 1 failed, 2 skipped" */
export function figuresOf({ done, total, failed, skipped }: AdminBulkJob): string {
  return [
    `${count(done)} of ${count(total)} done`,
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(skipped > 0 ? [`${count(skipped)} skipped`] : []),
  ].join(', ');
}

export function JobBar({
  job,
  label = 'Rows processed',
}: {
  job: Pick<AdminBulkJob, 'done' | 'total'>;
  label?: string;
}) {
  const share = job.total === 0 ? 100 : Math.round((job.done / job.total) * 100);
  return (
    <Track
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={job.total}
      aria-valuenow={job.done}
    >
      <Fill style={{ width: `${share}%` }} />
    </Track>
  );
}

interface Props {
  id: number;
  onOver: () => void;
  onClose: () => void;
}

/** Progress of a bulk job, above the list it was started from. */
export function JobProgress({ id, onOver, onClose }: Props) {
  const { data: job, error, refetch } = useBulkJob(id);
  const over = job !== undefined && isFinished(job);
  const onFinished = useEffectEvent(onOver);
  useEffect(() => {
    if (over) onFinished();
  }, [over]);
  if (error)
    return (
      <ErrorNotice problem={problemOf(error, 'Couldn’t load the job’s progress', () => void refetch())} />
    );
  if (!job) return null;
  return (
    <Box aria-label="Bulk job">
      <Head>
        <Title role="status">
          {words(job.action)}: {over ? figuresOf(job) : 'in progress'}
        </Title>
        <LinkButton size="small" variant="outlined" href={adminHref.show('bulk-jobs', job.id)}>
          Results by row
        </LinkButton>
        <Button size="small" variant="text" onClick={onClose}>
          Close
        </Button>
      </Head>
      <JobBar job={job} />
      {!over && <Figures>{figuresOf(job)}</Figures>}
    </Box>
  );
}
