import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useState, type ReactNode } from 'react';
import { ahead, timeFault } from '../../../lib/time/scheduleTime';
import { instantOf, ownZone, wallOf, zones } from '../../../lib/time/zonedTime';
import { useClock } from '../../../ui/data/clock';
import { exactTime, relative } from '../../../ui/data/time';
import type { Problem } from '../../../ui/feedback/problem';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { FormShell } from '../../../ui/forms/FormShell';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { space } from '../../../ui/theme';

const Quick = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

const PRESETS = [
  { label: 'In 2 hours', hours: 2 },
  { label: 'In 8 hours', hours: 8 },
  { label: 'Tomorrow', hours: 24 },
  { label: 'In a week', hours: 168 },
] as const;

interface Props {
  title: string;
  /** What happens then, and what the CVM costs from then on. */
  intro: ReactNode;
  /** The current value. */
  at: string | null;
  pending: boolean;
  problem: Problem | null;
  /** RFC 3339. */
  onSave: (at: string) => void;
  onClose: () => void;
}

/** Date and time in a selected time zone. Mounted only while open. */
export function ScheduleDialog({ title, intro, at, pending, problem, onSave, onClose }: Props) {
  const [zone, setZone] = useState(ownZone);
  const [wall, setWall] = useState(() =>
    wallOf(at === null ? ahead(24, Date.now()) : new Date(at), ownZone()),
  );
  const [tried, setTried] = useState(false);
  const when = instantOf(wall, zone);
  const fault = useClock((now) => timeFault(when, now) ?? '');
  const said = useClock((now) => (when ? `${relative(when, now)} · ${exactTime(when)}` : ''));
  const submit = () => {
    setTried(true);
    if (when && fault === '') onSave(when.toISOString());
  };
  return (
    <FormDialog open onClose={onClose} title={title} intro={intro}>
      <FormShell
        aria-label={title}
        error={problem}
        pending={pending}
        onSubmit={submit}
        submitLabel="Schedule"
        onCancel={onClose}
      >
        <Quick role="group" aria-label="Common times">
          {PRESETS.map(({ label, hours }) => (
            <Button key={label} size="small" onClick={() => setWall(wallOf(ahead(hours, Date.now()), zone))}>
              {label}
            </Button>
          ))}
        </Quick>
        <TextInput
          type="datetime-local"
          label="Date and time"
          required
          value={wall}
          onChange={(event) => setWall(event.target.value)}
          {...(tried && fault !== '' ? { error: fault } : {})}
          help={fault === '' ? said : 'In the selected time zone.'}
        />
        <SelectInput
          label="Time zone"
          value={zone}
          choices={zones().map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
          onChange={(event) => setZone(event.target.value)}
        />
      </FormShell>
    </FormDialog>
  );
}
