import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { Notice } from '../../ui/feedback/Notice';
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
  /** Why the user can't change the CVM; null if they can. */
  refusal: ReactNode;
  /** The resize form. */
  resize: ReactNode;
}

/** CVM settings other than its compose, from harmless to destructive. */
export function SettingsPage({ refusal, resize }: Props) {
  return (
    <Column>
      {refusal !== null && (
        <Notice tone="attention" title="You can’t change this CVM’s settings.">
          {refusal}
        </Notice>
      )}
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
