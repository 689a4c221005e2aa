import ArrowRightLeftIcon from 'lucide-react/icons/arrow-right-left';
import BoxIcon from 'lucide-react/icons/box';
import CalendarCheckIcon from 'lucide-react/icons/calendar-check';
import ClockIcon from 'lucide-react/icons/clock';
import GlobeIcon from 'lucide-react/icons/globe';
import LayersIcon from 'lucide-react/icons/layers';
import PlayIcon from 'lucide-react/icons/play';
import RefreshCwIcon from 'lucide-react/icons/refresh-cw';
import RocketIcon from 'lucide-react/icons/rocket';
import RotateCwIcon from 'lucide-react/icons/rotate-cw';
import ScalingIcon from 'lucide-react/icons/scaling';
import ServerIcon from 'lucide-react/icons/server';
import SquareIcon from 'lucide-react/icons/square';
import Trash2Icon from 'lucide-react/icons/trash-2';
import type { ReactElement } from 'react';
import { ownValue } from '../../lib/ownValue';
import { Glyph } from '../feedback/Glyph';
import { color } from '../theme';

/** Keyed by the first part of the event kind. */
const icons: Readonly<Record<string, ReactElement>> = {
  deploy: <RocketIcon />,
  start: <PlayIcon />,
  stop: <SquareIcon />,
  shutdown: <SquareIcon />,
  restart: <RotateCwIcon />,
  update: <RefreshCwIcon />,
  resize: <ScalingIcon />,
  move: <ArrowRightLeftIcon />,
  delete: <Trash2Icon />,
  purge: <Trash2Icon />,
  rollout: <LayersIcon />,
  domain: <GlobeIcon />,
  host: <ServerIcon />,
  boot: <ServerIcon />,
  order: <CalendarCheckIcon />,
};

interface Props {
  kind: string;
  severity: 'info' | 'warning' | 'error';
}

/** Shows the event's kind; warnings and errors use the icon of their severity. */
export function EventIcon({ kind, severity }: Props) {
  if (severity !== 'info') return <Glyph name={severity === 'error' ? 'cross' : 'warning'} />;
  return (
    ownValue(icons, kind.split('.')[0] ?? '') ?? (kind.includes('schedule') ? <ClockIcon /> : <BoxIcon />)
  );
}

export const eventInk = {
  info: color.muted,
  warning: color.attentionText,
  error: color.errorText,
} as const;

export const severityWord = { info: '', warning: 'Warning: ', error: 'Error: ' } as const;
