import styled from '@emotion/styled';
import { DiffView } from '../../../ui/code/DiffView';
import { Notice } from '../../../ui/feedback/Notice';
import { Panel } from '../../../ui/layout/Panel';
import { space } from '../../../ui/theme';

const Box = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: space(4),
  marginBottom: space(6),
});

interface Props {
  name: string;
  version: string;
  keepsChanges: boolean | null;
  running: string;
  compose: string;
}

/** Names the template version that filled the update form, and compares it with the running file. */
export function TemplateUpdateNotice({ name, version, keepsChanges, running, compose }: Props) {
  return (
    <Box>
      <Notice tone={keepsChanges === false ? 'attention' : 'neutral'} title={`${name} ${version}`}>
        {TEXTS[String(keepsChanges) as keyof typeof TEXTS]} Nothing changes until you update.
      </Notice>
      <Panel title="Changes to the Compose file">
        <DiffView
          label="Compose file"
          before={running}
          after={compose}
          beforeLabel="Running"
          afterLabel={`With ${name} ${version}`}
        />
      </Panel>
    </Box>
  );
}

const TEXTS = {
  null: 'The form contains the template’s new Compose file. Saved secrets are kept.',
  true: 'The form contains the template’s changes and keeps your app’s own. Saved secrets are kept.',
  false:
    'The form contains the template’s new Compose file without your app’s changes, because they couldn’t be merged. Add back what you still need.',
};
