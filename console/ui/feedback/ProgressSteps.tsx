import CircleXIcon from 'lucide-react/icons/circle-x';
import CircleCheckIcon from 'lucide-react/icons/circle-check';
import CircleMinusIcon from 'lucide-react/icons/circle-minus';
import styled from '@emotion/styled';
import { useEffect, useRef } from 'react';
import { useAnnounce } from '../announce';
import { Spinner } from '../controls/Spinner';
import { Elapsed } from '../data/RelativeTime';
import type { Instant } from '../data/time';
import { color, space, tabular, type } from '../theme';
import { VisuallyHidden } from '../VisuallyHidden';

export interface Step {
  id: string;
  label: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'skipped';
  started_at?: Instant | null;
  finished_at?: Instant | null;
  /** The current activity, or why it failed. */
  detail?: string | null;
}

const List = styled('ol')({ display: 'grid' });
const Item = styled('li')({
  position: 'relative',
  display: 'grid',
  gridTemplateColumns: '20px minmax(0, 1fr) auto',
  columnGap: space(2),
  paddingBottom: space(3),
  '&:last-of-type': { paddingBottom: 0 },
});
const Line = styled('span')({
  position: 'absolute',
  left: 9.5,
  top: 22,
  bottom: 2,
  width: 1,
  backgroundColor: color.line,
});
const Icon = styled('span')({
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  height: 20,
  fontSize: 16,
});
const Waiting = styled('span')({
  width: 10,
  height: 10,
  borderRadius: '50%',
  border: `1.5px solid ${color.control}`,
});
const Detail = styled('p')({ ...type.small, color: color.muted, overflowWrap: 'anywhere' });
const Time = styled('span')({ ...type.small, ...tabular, color: color.faint });

const words = {
  waiting: 'waiting',
  running: 'in progress',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
};

function StepIcon({ state }: { state: Step['state'] }) {
  if (state === 'running') return <Spinner size={16} />;
  if (state === 'done') return <CircleCheckIcon />;
  if (state === 'failed') return <CircleXIcon />;
  if (state === 'skipped') return <CircleMinusIcon />;
  return <Waiting />;
}

const ink = {
  waiting: color.faint,
  running: color.progressText,
  done: color.okText,
  failed: color.errorText,
  skipped: color.faint,
};

/** Long-running work, step by step with times; each new step is announced to screen readers. */
export function ProgressSteps({ steps, label }: { steps: Step[]; label: string }) {
  const announce = useAnnounce();
  const current =
    steps.find((step) => step.state === 'failed') ?? steps.find((step) => step.state === 'running');
  const done = steps.length > 0 && steps.every((step) => step.state === 'done' || step.state === 'skipped');
  const says = current ? `${current.label}: ${words[current.state]}` : done ? `${label}: done` : '';
  const said = useRef(says);
  useEffect(() => {
    if (says !== said.current && says !== '') announce(says);
    said.current = says;
  }, [says, announce]);
  return (
    <List aria-label={label}>
      {steps.map((step, i) => (
        <Item key={step.id} aria-current={step.state === 'running' ? 'step' : undefined}>
          {i < steps.length - 1 && <Line aria-hidden />}
          <Icon style={{ color: ink[step.state] }}>
            <StepIcon state={step.state} />
          </Icon>
          <div>
            <span
              style={
                step.state === 'waiting' || step.state === 'skipped'
                  ? { color: color.muted }
                  : { fontWeight: step.state === 'running' ? 550 : 400 }
              }
            >
              {step.label}
            </span>
            <VisuallyHidden>, {words[step.state]}</VisuallyHidden>
            {step.detail && (
              <Detail style={step.state === 'failed' ? { color: color.errorText } : undefined}>
                {step.detail}
              </Detail>
            )}
          </div>
          <Time>
            {step.started_at && (step.state === 'running' || step.finished_at) ? (
              <Elapsed since={step.started_at} until={step.finished_at ?? null} />
            ) : null}
          </Time>
        </Item>
      ))}
    </List>
  );
}
