import styled from '@emotion/styled';
import { useState } from 'react';
import type { TeamTemplate } from '../../../../generated/api/types.gen';
import { useMay } from '../../../api/session';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { Button } from '../../../ui/controls/Button';
import { Row } from '../../../ui/layout/Row';
import { color, type } from '../../../ui/theme';
import { DeleteTeamTemplate, EditTeamTemplate } from './TeamTemplateDialogs';

const Text = styled('p')({
  ...type.small,
  flex: 1,
  minWidth: 200,
  color: color.muted,
  overflowWrap: 'anywhere',
});

interface Props {
  teamSlug: string;
  template: TeamTemplate;
  onDeleted: () => void;
}

/** A team template's version and its actions. */
export function TeamTemplateTools({ teamSlug, template, onDeleted }: Props) {
  const [opened, setOpened] = useState<'edit' | 'delete' | null>(null);
  const may = useMay('templates.write', teamSlug);
  const { version, updated_by, updated_at, changelog } = template;
  const close = () => setOpened(null);
  const dialog = { teamSlug, template, onClose: close };
  const [latest] = changelog;
  return (
    <Row>
      <Text>
        Team template, version {version}, by {updated_by ?? '—'} <RelativeTime at={updated_at} />
        {latest && latest.text !== '' ? `: ${latest.text}` : ''}
      </Text>
      <ActionButton
        size="small"
        reason={may.allowed ? undefined : (may.reason ?? '')}
        onClick={() => setOpened('edit')}
      >
        Edit template
      </ActionButton>
      {may.allowed && (
        <Button size="small" tone="danger" onClick={() => setOpened('delete')}>
          Delete template
        </Button>
      )}
      {opened === 'edit' && <EditTeamTemplate {...dialog} />}
      {opened === 'delete' && <DeleteTeamTemplate {...dialog} onDeleted={onDeleted} />}
    </Row>
  );
}
