import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { Sections } from '../../ui/layout/Sections';
import { DeletePanel } from './settings/DeletePanel';
import { NamePanel } from './settings/NamePanel';
import { OsImagePanel } from './settings/OsImagePanel';
import { PowerPanel } from './settings/PowerPanel';
import { ProtectionPanel } from './settings/ProtectionPanel';
import { SchedulePanel } from './settings/SchedulePanel';
import { PublishPanel } from './settings/PublishPanel';
import { VisibilityPanel } from './settings/VisibilityPanel';

const Column = styled(Sections)({ maxWidth: 860 });

interface Props {
  /** The resize form. */
  resize: ReactNode;
}

/** CVM settings other than its compose, from harmless to destructive. */
export function SettingsPage({ resize }: Props) {
  return (
    <Column>
      <NamePanel />
      <PowerPanel />
      {resize}
      <VisibilityPanel />
      <PublishPanel />
      <OsImagePanel />
      <SchedulePanel />
      <ProtectionPanel />
      <DeletePanel />
    </Column>
  );
}
