import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { DeletePanel } from './settings/DeletePanel';
import { NamePanel } from './settings/NamePanel';
import { OsImagePanel } from './settings/OsImagePanel';
import { PowerPanel } from './settings/PowerPanel';
import { ProtectionPanel } from './settings/ProtectionPanel';
import { SchedulePanel } from './settings/SchedulePanel';
import { VisibilityPanel } from './settings/VisibilityPanel';

const Column = styled('div')({ maxWidth: 860 });

interface Props {
  /** The form to change its size. */
  resize: ReactNode;
}

/** Everything one can set of a CVM besides what it runs, from harmless to final. */
export function SettingsPage({ resize }: Props) {
  return (
    <Column>
      <NamePanel />
      <PowerPanel />
      {resize}
      <VisibilityPanel />
      <OsImagePanel />
      <SchedulePanel />
      <ProtectionPanel />
      <DeletePanel />
    </Column>
  );
}
