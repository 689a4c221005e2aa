import styled from '@emotion/styled';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { App, AppTemplateOrigin, AppTemplateVersion } from '../../../../generated/api/types.gen';
import { useMay } from '../../../api/session';
import { appCvmPath } from '../../../lib/paths';
import { DiffView } from '../../../ui/code/DiffView';
import { LinkButton } from '../../../ui/controls/Button';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { appTemplateOptions } from './queries';

const Changes = styled('ul')({ ...type.body, display: 'grid', gap: space(2), marginBottom: space(4) });
const Version = styled('span')({ fontWeight: 600, marginRight: space(2) });
const Text = styled('p')({ ...type.body, color: color.muted, overflowWrap: 'anywhere', maxWidth: '72ch' });
const Stack = styled('div')({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: space(4) });

interface Props {
  teamSlug: string;
  app: App;
}

/** Announces a newer version of the app's template, with its changes and a link to the update. */
export function TemplatePanel({ teamSlug, app }: Props) {
  const { data } = useSuspenseQuery(appTemplateOptions(teamSlug, app.app_id));
  if (!data.template || !data.newer || app.archived_at !== null) return null;
  return <NewerVersion {...{ teamSlug, app }} template={data.template} newer={data.newer} />;
}

interface NewerProps extends Props {
  template: AppTemplateOrigin;
  newer: AppTemplateVersion;
}

function NewerVersion({ teamSlug, app, template, newer }: NewerProps) {
  const { reason } = useMay('cvms.write', teamSlug);
  const uuid = app.current_cvm?.vm_uuid;
  return (
    <Panel
      title={`${template.name} ${newer.version} is available`}
      subtitle={`This app is based on version ${template.version} of the template.`}
      actions={
        uuid &&
        (reason === undefined ? (
          <LinkButton
            size="small"
            variant="contained"
            href={`${appCvmPath(teamSlug, app.app_id, uuid, 'compose')}?template=${encodeURIComponent(newer.version)}`}
          >
            Review update
          </LinkButton>
        ) : (
          <ActionButton size="small" reason={reason}>
            Review update
          </ActionButton>
        ))
      }
    >
      <Stack>
        {newer.changelog.length > 0 && (
          <Changes aria-label="What changed">
            {newer.changelog.map(({ version, text }) => (
              <li key={version}>
                <Version>{version}</Version>
                {text}
              </li>
            ))}
          </Changes>
        )}
        {template.is_modified && (
          <Text>
            This app’s Compose file differs from the template’s. The update keeps its changes if they can be
            merged.
          </Text>
        )}
        {template.compose_file === null ? (
          <Text>
            This server no longer has the Compose file of version {template.version} to compare with.
          </Text>
        ) : (
          <DiffView
            label="Template’s Compose file"
            before={template.compose_file}
            after={newer.compose_file}
            beforeLabel={`Version ${template.version}`}
            afterLabel={`Version ${newer.version}`}
          />
        )}
      </Stack>
    </Panel>
  );
}
